from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("geodescent")
except PackageNotFoundError:  # imported from a folder, not installed
    __version__ = "unknown"
