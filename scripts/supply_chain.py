#!/usr/bin/env python3
"""Checks what the project is made of: python3 scripts/supply_chain.py [--advisories]

The tables of DESIGN.md name every dependency of every package, and every piece of unsafe code; all other libraries, programs,
examples and build scripts forbid it. The dependencies of the libraries, their tests and the command are held against deny.toml by
cargo-deny (licences, duplicates, sources), which is installed if need be. With --advisories these alone are checked, for which
cargo-deny fetches a database. What cannot be checked here is said in one line; then the exit code is 69 (unavailable).
"""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = ("posenc", "posenc-macros", "posenc-macros-core", "posenc-runtime")


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


def packages():
    """Of all workspaces, as cargo knows them."""
    for manifest in tracked("*Cargo.toml"):
        if "[workspace]" in (ROOT / manifest).read_text():
            metadata = run("cargo", "metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest)
            yield from json.loads(metadata.stdout)["packages"]


def dependencies():
    there = defaultdict(set)
    for package in packages():
        for dependency in package["dependencies"]:
            if dependency["name"] not in OWN:
                kind = {"dev": " (tests)", "build": " (build)", None: " (optional)" if dependency["optional"] else ""}
                there[dependency["name"]].add(package["name"] + kind[dependency["kind"]])
    listed = {crates: set(by.split(", ")) for crates, by, _ in section("Dependencies")}
    listed = {crate: by for crates, by in listed.items() for crate in crates.split(", ")}
    differences("dependency", listed, dict(there))
    print(f"supply chain: {len(there)} dependencies of all workspaces, each with its reason in DESIGN.md")


def unsafe():
    there = Counter()
    for file in tracked("*.rs"):
        function = None
        for line in (ROOT / file).read_text().splitlines():
            code = re.sub(r'"[^"]*"', '""', line.split("//")[0])
            if found := re.search(r"\bfn (\w+)", code):
                function = found[1]
            there[f"{file}: {function}"] += len(re.findall(r"\bunsafe\b", code))
    there = {place: count for place, count in there.items() if count}
    listed = {f"{file}: {function}": int(count) for file, function, count, _ in section("Unsafe code")}
    differences("unsafe code in", listed, there)
    forbidden = sorted(set(forbid_it({place.split("/src/")[0] for place in there})))
    print(f"supply chain: {sum(there.values())} pieces of unsafe code, each with its reason in DESIGN.md; "
          f"the other {len(forbidden)} libraries, programs, examples and build scripts forbid it")


def forbid_it(with_some):
    """The roots of all crates but tests and the libraries with unsafe code, which have to have the compiler refuse it."""
    for package in packages():
        folder = Path(package["manifest_path"]).parent
        lints = (folder / "Cargo.toml").read_text()
        for target in package["targets"]:
            root = Path(target["src_path"])
            library = "lib" in target["kind"] and str(folder.relative_to(ROOT)) in with_some
            if library or set(target["kind"]) & {"test", "bench"}:
                continue
            if "#![forbid(unsafe_code)]" not in root.read_text() and 'unsafe_code = "forbid"' not in lints:
                sys.exit(f"{root.relative_to(ROOT)}: neither #![forbid(unsafe_code)] nor that in the manifest")
            yield root


def has_cargo_deny():
    """Whether it is there, or could be installed."""
    if run("cargo", "deny", "--version").returncode:
        if subprocess.run(["cargo", "install", "--quiet", "--locked", "cargo-deny"]).returncode:
            print("supply chain: skipped: no cargo-deny, see above")
            return False
    return True


def deny():
    """Whether all could be checked."""
    if not has_cargo_deny():
        return False
    if (checked := run("cargo", "deny", "check", "licenses", "bans", "sources")).returncode:
        sys.exit(checked.stderr)
    print(f"supply chain: cargo-deny: {checked.stdout.strip() or checked.stderr.strip().splitlines()[-1]}")
    return True


def advisories():
    """Whether they could be checked."""
    if not has_cargo_deny():
        return False
    checked = run("cargo", "deny", "check", "advisories")
    if without_database(checked):
        # As it was when it was fetched.
        checked = run("cargo", "deny", "--offline", "check", "advisories")
        if without_database(checked):
            print("supply chain: skipped: advisories, whose database cannot be fetched here")
            return False
    if checked.returncode:
        sys.exit(checked.stderr)
    print("supply chain: cargo-deny: no advisory")
    return True


def without_database(checked):
    """Whether it is for want of the database that the check failed, and not for what it found."""
    return checked.returncode and "[ERROR] failed to" in checked.stderr and "advisories FAILED" not in checked.stderr


if sys.argv[1:] == ["--advisories"]:
    sys.exit(0 if advisories() else 69)
dependencies()
unsafe()
sys.exit(0 if deny() else 69)
