"""A training for each class against the rest, where the weights of rows differ among them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from .. import _core
from .._data import Problem
from .._model import Model


def train_each(
    problem: Problem, start: Model | None, train: Callable[[Problem, Model | None, bool], Model]
) -> Model:
    """The models of all classes, in one. After Ctrl-C the classes that are left do no iteration."""
    assert problem.classes is not None
    starts = start.of_classes if start is not None else ()
    models: list[Model] = []
    for k in range(len(problem.classes.labels)):
        stopped = bool(models) and models[-1].status == "interrupted"
        model = train(problem.against_rest(k), starts[k] if starts else None, stopped)
        models.append(replace(model, status="interrupted") if stopped else model)
    return _joined(models, problem)


def _joined(models: list[Model], problem: Problem) -> Model:
    assert problem.classes is not None
    worst = next((model for model in models if not model.converged), models[0])
    first = models[0].core
    same = len({model.l2 for model in models}) == 1
    coef = np.array([model.coef for model in models])
    core = _core.LinearModel(
        first.loss,
        first.loss_parameter,
        first.l2 if same else 0.0,
        first.bias,
        first.constant,
        problem.rows_of_classes(),
        True,
        np.ascontiguousarray(coef.T).reshape(-1),
        np.concatenate([model.core.bias_weights for model in models]),
    )
    history = {
        name: np.concatenate([model.history[name] for model in models])
        for name in models[0].history
    }
    lengths = [len(model.history["problem"]) for model in models]
    history["problem"] = np.repeat(np.arange(len(models)), lengths)
    return Model(
        coef=coef,
        intercept=np.array([model.intercept for model in models]),
        classes=problem.classes.labels,
        loss=first.loss,
        l2=first.l2 if same else math.nan,
        value=math.nextafter(math.fsum(model.value for model in models), math.inf),
        lower_bound=math.nextafter(math.fsum(m.lower_bound for m in models), -math.inf),
        gap=math.nextafter(math.fsum(model.gap for model in models), math.inf),
        relative_gap=max(model.relative_gap for model in models),
        status=worst.status,
        message=worst.message,
        n_iter=sum(model.n_iter for model in models),
        n_passes=sum(model.n_passes for model in models),
        seconds=sum(model.seconds for model in models),
        history=history,
        certificate=None,
        core=core,
        of_classes=tuple(models),
    )
