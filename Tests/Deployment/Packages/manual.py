"""The manual page larder(1), from the description of the commands that the program prints of itself."""

import json
import subprocess
from pathlib import Path

FILES = {
    "/etc/larder/larder.yaml": "The config of the service.",
    "/etc/larder/environment": "LARDER_UPSTREAM and the other variables of the service.",
    "/etc/larder/admin-token": "The token for orders, readable by root.",
    "/var/lib/larder": "The catalogues that the service keeps.",
}
EXITS = {"0": "Done.", "1": "Something is wrong; standard error says what.", "64": "The arguments are wrong."}
USUAL = ("help", "version")
"""The options that every command has."""


def escaped(text: str) -> str:
    """A text of roff that is printed as it is, also at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    return "\n".join("\\&" + line if line.startswith((".", "\\(aq")) else line for line in text.split("\n"))


def form(argument: dict) -> str:
    """`--name <value>`, or `<value>` of an argument that has its place."""
    value = f"\\fI<{escaped(argument['valueName'])}>\\fR"
    if argument["kind"] == "positional":
        return value
    name = f"\\fB\\-\\-{escaped(argument['preferredName']['name'])}\\fR"
    return name if argument["kind"] == "flag" else f"{name} {value}"


def shown(command: dict) -> list[dict]:
    return [one for one in command.get("arguments", [])
            if one["shouldDisplay"] and not any(name["name"] in USUAL for name in one.get("names", []))]


def entry(term: str, text: str) -> list[str]:
    return [".TP", term, *escaped(text).split("\n")]


def section(command: dict, path: str) -> list[str]:
    """A command with its arguments, then those below it."""
    lines = []
    if command.get("subcommands") is None:
        words = [form(one) + ("..." if one["isRepeating"] else "") for one in shown(command)]
        optional = [one["isOptional"] for one in shown(command)]
        usage = " ".join(f"[{word}]" if may else word for word, may in zip(words, optional))
        lines += [f".SS {path}", f"\\fB{path}\\fR {usage}".rstrip(), ".PP", *escaped(command["abstract"]).split("\n")]
        for paragraph in command.get("discussion", "").split("\n\n"):
            if paragraph:
                lines += [".PP", *escaped(paragraph).split("\n")]
        for one in shown(command):
            default = f" Default: {one['defaultValue']}." if "defaultValue" in one else ""
            lines += entry(form(one), one.get("abstract", "") + default)
    for below in command.get("subcommands") or []:
        if below["commandName"] != "help":
            lines += section(below, f"{path} {below['commandName']}")
    return lines


def manual(program: Path, version: str, date: str) -> str:
    described = subprocess.run([program, "--experimental-dump-help"], stdout=subprocess.PIPE, check=True).stdout
    larder = json.loads(described)["command"]
    lines = [f'.TH LARDER 1 "{date}" "Larder {version}" "User Commands"', ".SH NAME",
             f"larder \\- {escaped(larder['abstract'][0].lower() + larder['abstract'][1:].rstrip('.'))}", ".SH SYNOPSIS",
             "\\fBlarder\\fR [\\fIcommand\\fR] [\\fIoption\\fR...]", ".SH DESCRIPTION",
             "Without a command it is \\fBlarder serve\\fR. Each command has \\fB\\-\\-help\\fR.", ".SH COMMANDS",
             *section(larder, "larder"), ".SH FILES"]
    for title, table in (("", FILES), (".SH EXIT STATUS", EXITS)):
        lines += [title] if title else []
        for term, text in table.items():
            lines += entry(f"\\fI{escaped(term)}\\fR", text)
    return "\n".join(lines) + "\n"
