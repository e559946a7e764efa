#!/usr/bin/env python3
"""Checks what the project is made of: python3 scripts/supply_chain.py

The tables of DESIGN.md name every dependency of every package, and every piece of unsafe code; the roots of all other libraries and
programs forbid it. Licences, duplicates, sources and advisories are checked by cargo-deny, as deny.toml says; it is installed if need
be. What cannot be checked here is said in one line; then the exit code is 69 (unavailable).
"""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = ("posenc", "posenc-macros", "posenc-runtime")


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def tracked(pattern):
    return run("git", "ls-files", "--cached", "--others", "--exclude-standard", pattern).stdout.split()


def section(title):
    """The rows of the table under a heading of DESIGN.md, cell by cell."""
    text = (ROOT / "DESIGN.md").read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
            for line in text.splitlines() if line.startswith("|")]
    return rows[2:]


def differences(what, listed, there):
    for name in sorted(listed.keys() | there.keys()):
        if listed.get(name) != there.get(name):
            print(f"DESIGN.md, {what} {name}: listed {listed.get(name)}, there is {there.get(name)}", file=sys.stderr)
    if listed != there:
        sys.exit(1)


def dependencies():
    there = defaultdict(set)
    workspaces = [manifest for manifest in tracked("*Cargo.toml") if "[workspace]" in (ROOT / manifest).read_text()]
    for manifest in workspaces:
        metadata = run("cargo", "metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest)
        for package in json.loads(metadata.stdout)["packages"]:
            for dependency in package["dependencies"]:
                if dependency["name"] not in OWN:
                    kind = {"dev": " (tests)", "build": " (build)", None: " (optional)" if dependency["optional"] else ""}
                    there[dependency["name"]].add(package["name"] + kind[dependency["kind"]])
    listed = {crates: set(by.split(", ")) for crates, by, _ in section("Dependencies")}
    listed = {crate: by for crates, by in listed.items() for crate in crates.split(", ")}
    differences("dependency", listed, dict(there))
    print(f"supply chain: {len(there)} dependencies of {len(workspaces)} workspaces, each with its reason in DESIGN.md")


def unsafe():
    there = Counter()
    for file in tracked("*.rs"):
        function = None
        for line in (ROOT / file).read_text().splitlines():
            code = line.split("//")[0]
            if found := re.search(r"\bfn (\w+)", code):
                function = found[1]
            there[f"{file}: {function}"] += len(re.findall(r"\bunsafe (?:\{|fn|impl)", code))
    there = {place: count for place, count in there.items() if count}
    listed = {f"{file}: {function}": int(count) for file, function, count, _ in section("Unsafe code")}
    differences("unsafe code in", listed, there)
    with_some = {place.split("/src/")[0] + "/src/lib.rs" for place in there}
    roots = [file for file in tracked("*.rs") if re.search(r"(^|/)(src/(lib|main)|build)\.rs$", file)]
    others = [file for file in roots if file not in with_some]
    if careless := [file for file in others if not forbids(ROOT / file)]:
        sys.exit(f"neither #![forbid(unsafe_code)] nor that in the manifest: {', '.join(careless)}")
    print(f"supply chain: {sum(there.values())} pieces of unsafe code, each with its reason in DESIGN.md; "
          f"{len(others)} other libraries, programs and build scripts forbid it")


def forbids(root):
    """Whether a crate has the compiler refuse unsafe code whatever its modules say."""
    manifest = root.parent.parent / "Cargo.toml"
    return "#![forbid(unsafe_code)]" in root.read_text() or (
        manifest.exists() and 'unsafe_code = "forbid"' in manifest.read_text())


def deny():
    """Whether all could be checked."""
    if run("cargo", "deny", "--version").returncode:
        if (installed := run("cargo", "install", "--locked", "cargo-deny")).returncode:
            print(f"supply chain: skipped: no cargo-deny: {installed.stderr.strip().splitlines()[-1]}")
            return False
    checks = ("licenses", "bans", "sources")
    if (checked := run("cargo", "deny", "check", *checks)).returncode:
        sys.exit(checked.stderr)
    print(f"supply chain: cargo-deny: {checked.stdout.strip() or checked.stderr.strip().splitlines()[-1]}")
    advisories = run("cargo", "deny", "check", "advisories")
    if "failed to fetch advisory database" in advisories.stderr:
        # As it was when it was fetched.
        advisories = run("cargo", "deny", "--offline", "check", "advisories")
        if "failed to" in advisories.stderr:
            print("supply chain: skipped: advisories, whose database cannot be fetched here")
            return False
    if advisories.returncode:
        sys.exit(advisories.stderr)
    print("supply chain: cargo-deny: no advisory")
    return True


dependencies()
unsafe()
sys.exit(0 if deny() else 69)
