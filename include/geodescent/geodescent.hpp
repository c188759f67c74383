// Everything, in the order of the flow: file -> data -> objective -> method -> minimize -> model -> prediction.
#pragma once

#include "geodescent/version.hpp"
//
#include "geodescent/convert.hpp"
#include "geodescent/dataset.hpp"
#include "geodescent/error.hpp"
#include "geodescent/libsvm.hpp"
//
#include "geodescent/function.hpp"
#include "geodescent/gradient_check.hpp"
#include "geodescent/losses.hpp"
#include "geodescent/objective.hpp"
#include "geodescent/quadratic.hpp"
#include "geodescent/risk.hpp"
#include "geodescent/test_problems.hpp"
//
#include "geodescent/method.hpp"
#include "geodescent/minimize.hpp"
//
#include "geodescent/certificate.hpp"
#include "geodescent/cost.hpp"
#include "geodescent/cross_validation.hpp"
#include "geodescent/instruction_set.hpp"
#include "geodescent/model.hpp"
#include "geodescent/parallel.hpp"
#include "geodescent/path.hpp"
#include "geodescent/prediction.hpp"
#include "geodescent/train.hpp"
