"""Lessons: markdown files with settings, which the window walks through. A file in a folder adds one."""

from attnsim.files.lessons.library import shelf, user_folder
from attnsim.files.lessons.reader import LessonError, read_lesson
from attnsim.files.lessons.records import Choice, Claim, Lesson, Shelf, Step

__all__ = ["Choice", "Claim", "Lesson", "LessonError", "Shelf", "Step", "read_lesson", "shelf", "user_folder"]
