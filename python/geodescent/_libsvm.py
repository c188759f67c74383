"""LIBSVM files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _core
from ._data import Array
from ._parameters import whole


def read_libsvm(
    path: str | os.PathLike[str],
    *,
    features: int | None = None,
    index_base: str = "auto",
) -> tuple[Any, Array]:
    """Read a LIBSVM file: a CSR array and the targets.

    Plain text, gzip, bzip2, xz, zstd and the binary files of ``geodescent convert`` are recognised
    by their content.

    Parameters
    ----------
    path : str or path
        The file; "-" is standard input.
    features : int, optional
        The number of columns, so that training and test data agree.
    index_base : {"auto", "zero", "one"}
        The number of the first feature; "auto": 0 where an index 0 occurs, else 1.

    Raises
    ------
    InputError
        With file, line, column and reason.

    Examples
    --------
    >>> import geodescent, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "data.svm"
    >>> _ = file.write_text("1 1:0.5 3:2\\n-1 2:1\\n")
    >>> X, y = geodescent.read_libsvm(file)
    >>> X.shape, y
    ((2, 3), array([ 1., -1.]))
    """
    rows, columns, indptr, indices, values, targets, _ = _core.read_libsvm(
        os.fspath(path), index_base, None if features is None else whole("features", features, 1)
    )
    entries = len(indices)
    if isinstance(values, float):
        values = np.full(entries, values)
    small = max(entries, columns) <= np.iinfo(np.int32).max
    if small:
        indptr = indptr.astype(np.int32)
        indices = indices.view(np.int32) if indices.dtype == np.uint32 else indices.astype(np.int32)
    else:
        indptr, indices = indptr.view(np.int64), indices.astype(np.int64)
    X = sp.csr_array((values, indices, indptr), shape=(rows, columns), copy=False)
    X.has_canonical_format = True  # the reader has checked that indices increase
    return X, targets
