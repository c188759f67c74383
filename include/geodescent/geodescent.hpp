// Everything, in the order of the flow: file -> data -> objective -> method -> minimize -> model ->
// prediction.
#pragma once

#include "geodescent/version.hpp"
//
#include "geodescent/data/convert.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/data/matrix_view.hpp"
#include "geodescent/error.hpp"
//
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/gradient_check.hpp"
#include "geodescent/optimize/objective.hpp"
#include "geodescent/optimize/quadratic.hpp"
#include "geodescent/optimize/test_problems.hpp"
//
#include "geodescent/optimize/method.hpp"
#include "geodescent/optimize/minimize.hpp"
//
#include "geodescent/certificate.hpp"
#include "geodescent/instruction_set.hpp"
#include "geodescent/learn/checkpoint_file.hpp"
#include "geodescent/learn/cross_validation.hpp"
#include "geodescent/learn/model.hpp"
#include "geodescent/learn/path.hpp"
#include "geodescent/learn/prediction.hpp"
#include "geodescent/learn/regularization.hpp"
#include "geodescent/learn/train.hpp"
#include "geodescent/threads.hpp"
