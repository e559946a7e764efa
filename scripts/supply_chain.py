#!/usr/bin/env python3
"""Checks dependencies, unsafe code and licences: cargo xtask supply-chain [--advisories]

supply-chain.toml lists every dependency of every package and every piece of unsafe code, each with its reason, and must
match the code. All other libraries, programs, examples and build scripts must forbid unsafe code. cargo-deny, which is
installed if it is missing, checks the dependencies of the libraries, their tests and the command-line tool against
deny.toml (licences, duplicates, sources). --advisories checks only advisories, for which cargo-deny downloads a
database. If something cannot be checked here, the program says so in one line and exits with 69 (unavailable). Needs
Python 3.11 or newer, for tomllib.
"""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

try:
    import tomllib
except ImportError:
    print("supply chain: skipped: Python 3.11 or newer is needed")
    sys.exit(69)

ROOT = Path(__file__).resolve().parent.parent
LISTED = "supply-chain.toml"
OWN = ("posenc", "posenc-cli", "posenc-macros", "posenc-macros-core", "posenc-runtime", "testkit")


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def tracked(pattern):
    return run("git", "ls-files", "--cached", "--others", "--exclude-standard", pattern).stdout.split()


def rows(table, *keys):
    """Yields the rows of a table of supply-chain.toml, each with exactly these keys and a reason."""
    for row in tomllib.loads((ROOT / LISTED).read_text())[table]:
        if row.keys() != {*keys, "reason"} or not row["reason"].strip():
            expected = ", ".join([*keys, "reason"])
            sys.exit(f"{LISTED}, [[{table}]]: {row}: expected the keys {expected}, and a reason that is not empty")
        yield [row[key] for key in keys]


def without_duplicates(what, pairs):
    listed = {}
    for name, value in pairs:
        if name in listed:
            sys.exit(f"{LISTED}, {what} {name}: listed twice")
        listed[name] = value
    return listed


def differences(what, listed, there):
    for name in sorted(listed.keys() | there.keys()):
        if listed.get(name) != there.get(name):
            difference = f"listed: {shown(listed.get(name))}, found: {shown(there.get(name))}"
            print(f"{LISTED}, {what} {name}: {difference}", file=sys.stderr)
    if listed != there:
        sys.exit(1)


def shown(value):
    return ", ".join(sorted(value)) if isinstance(value, set) else value or "nothing"


def packages():
    """Yields the packages of all workspaces, as described by cargo."""
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
    listed = [(crate, set(users)) for crates, users in rows("dependency", "crates", "used-by") for crate in crates]
    differences("dependency", without_duplicates("dependency", listed), dict(there))
    print(f"supply chain: {len(there)} dependencies of all workspaces, each with its reason in {LISTED}")


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
    listed = [(f"{file}: {function}", count) for file, function, count in rows("unsafe", "file", "function", "count")]
    differences("unsafe code in", without_duplicates("unsafe code in", listed), there)
    forbidden = sorted(set(forbid_it({place.split("/src/")[0] for place in there})))
    print(f"supply chain: {sum(there.values())} pieces of unsafe code, each with its reason in {LISTED}; "
          f"the other {len(forbidden)} libraries, programs, examples and build scripts forbid it")


def forbid_it(with_some):
    """Yields the roots of the crates that must forbid unsafe code, and exits if one does not."""
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
    """Returns whether cargo-deny is installed, after trying to install it."""
    if run("cargo", "deny", "--version").returncode:
        if subprocess.run(["cargo", "install", "--quiet", "--locked", "cargo-deny"]).returncode:
            print("supply chain: skipped: no cargo-deny, see above")
            return False
    return True


def deny():
    """Returns whether everything could be checked."""
    if not has_cargo_deny():
        return False
    if (checked := run("cargo", "deny", "check", "licenses", "bans", "sources")).returncode:
        sys.exit(checked.stderr)
    print(f"supply chain: cargo-deny: {checked.stdout.strip() or checked.stderr.strip().splitlines()[-1]}")
    return True


def advisories():
    """Returns whether the advisories could be checked."""
    if not has_cargo_deny():
        return False
    checked = run("cargo", "deny", "check", "advisories")
    if without_database(checked):
        # This uses the last downloaded database.
        checked = run("cargo", "deny", "--offline", "check", "advisories")
        if without_database(checked):
            print("supply chain: skipped: advisories, whose database cannot be downloaded here")
            return False
    if checked.returncode:
        sys.exit(checked.stderr)
    print("supply chain: cargo-deny: no advisory")
    return True


def without_database(checked):
    """Returns whether the check failed because the database is missing, and not because of a finding."""
    return checked.returncode and "[ERROR] failed to" in checked.stderr and "advisories FAILED" not in checked.stderr


if sys.argv[1:] == ["--advisories"]:
    sys.exit(0 if advisories() else 69)
dependencies()
unsafe()
sys.exit(0 if deny() else 69)
