"""Estimators: the part of the package that needs scikit-learn."""
