"""What a Scenario may choose from: a folder a kind, a file a choice, a registry line each."""
