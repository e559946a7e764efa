"""Imports single modules of large libraries for model_tables.py, with stand-ins for what they import and no table needs."""

import importlib
import importlib.machinery
import importlib.util
import pathlib
import sys
import types
from abc import ABCMeta


# What the tables are computed with never gets a stand-in.
NEEDED = {"einops", "keras", "mlx", "numpy", "tensorflow", "torch"}
# The packages of these import each other, and versions of other libraries that contradict each other.
ALONE = {"nemo"}


class StandIn(ABCMeta):
    """The classes of a module that is not there. They can be called, subclassed, and asked for any attribute."""

    def __new__(cls, name, bases=(), members=None):
        own = {
            "__init__": lambda self, *_, **__: None,
            "__call__": lambda self, given=None, *_, **__: given,
            "__getattr__": lambda self, name: stand_in(name),
        }
        return super().__new__(cls, name, bases, own if members is None else members)

    def __init__(cls, name, bases=(), members=None):
        super().__init__(name, bases, members or {})

    def __getattr__(cls, name):
        return stand_in(name)


def stand_in(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return StandIn(name)


def stand_in_module(name):
    module = types.ModuleType(name)
    module.__path__, module.__getattr__ = [], stand_in
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    return module


def replace(missing, needed):
    """Puts a stand-in in the place of a missing module, unless its library is needed."""
    if missing.name.split(".")[0] in needed or missing.name in sys.modules:
        raise missing
    sys.modules[missing.name] = stand_in_module(missing.name)


def imported_alone(name):
    """Imports a module without the packages that it is in. All of its own library that it imports gets stand-ins."""
    library, *rest = name.split(".")
    package = importlib.util.find_spec(library)
    if package is None:
        raise ModuleNotFoundError(f"No module named {library!r}", name=library)
    file = pathlib.Path(package.submodule_search_locations[0], *rest).with_suffix(".py")
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[library] = stand_in_module(library)
    while True:
        try:
            spec.loader.exec_module(module)
            return module
        except ModuleNotFoundError as error:
            replace(error, NEEDED)


def imported(name):
    """Imports a module. Other libraries that it imports and that are not installed get stand-ins."""
    library = name.split(".")[0]
    if library in ALONE:
        return imported_alone(name)
    while True:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            replace(error, {library, *NEEDED})
        except AttributeError as error:
            # The package has lost modules that were imported before it failed for want of another library.
            if "partially initialized" not in str(error):
                raise
            for own in [own for own in sys.modules if own.split(".")[0] == library]:
                del sys.modules[own]
