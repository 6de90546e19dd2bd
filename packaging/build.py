"""Build what people install: `python3 packaging/build.py [wheel|frozen|deb|run|rpm|all]`; the results are in `dist`."""

import sys

import environment

KINDS = ("wheel", "frozen", "deb", "run", "rpm")


def build(arguments):
    """Build the kinds asked for; wheel and sdist when nothing is said."""
    wanted = arguments or ["wheel"]
    wanted = list(KINDS) if wanted == ["all"] else wanted
    unknown = [kind for kind in wanted if kind not in KINDS]
    if unknown:
        raise environment.TroubleError(f"build takes {', '.join(KINDS)} or all, not {unknown[0]!r}.")
    import wheels

    if "wheel" in wanted:
        wheels.build(again=True)
    if set(wanted) - {"wheel"}:
        import freeze

        freeze.freeze()
        if "deb" in wanted:
            import debian

            debian.build()
        if "run" in wanted:
            import portable

            portable.build()
        if "rpm" in wanted:
            import red_hat

            red_hat.build()
    return 0


if __name__ == "__main__":
    sys.exit(environment.run_script(build))
