# Sourced by the scripts for the Python package: virtual environments, and packages of a registry.

# What builds the package; without them in the environment pip would fetch them for every build.
python_build_tools=('scikit-build-core>=0.10' 'nanobind>=2.4')
python_test_tools=(numpy scipy scikit-learn pytest pandas polars matplotlib threadpoolctl tqdm ruff mypy mpi4py)

# pip_of FOLDER ARGUMENT...: pip of a virtual environment; a registry that does not answer is given up soon.
pip_of() {
  local folder="$1"
  shift
  "$folder/bin/python" -m pip --disable-pip-version-check --quiet "$@"
}

# python_environment FOLDER REQUIREMENT...: the virtual environment with these packages, of the interpreter PYTHON or python3.
# Status 2 where no registry answers.
python_environment() {
  local folder="$1" stamp
  shift
  stamp="$folder/requirements"
  [[ -x "$folder/bin/python" ]] || "${PYTHON:-python3}" -m venv "$folder" || return 1
  [[ ! -e $stamp || "$(cat "$stamp")" != "$*" ]] || return 0
  if ! pip_of "$folder" install --retries 1 --timeout 20 packaging 2>"$folder/registry.log"; then
    say "no registry of Python packages answers: $(tail -n 1 "$folder/registry.log")"
    return 2
  fi
  pip_of "$folder" install "$@" >&2 || return 1
  printf '%s' "$*" >"$stamp"
}

# python_install FOLDER: builds the package of this clone and installs it there. The build is kept in build/python.
python_install() {
  use_compiler_cache
  # The compiler by the name that CMake finds. ccache tells names apart.
  export CXX="${CXX:-c++}"
  pip_of "$1" install --no-build-isolation --no-deps --force-reinstall "$project" >&2
}
