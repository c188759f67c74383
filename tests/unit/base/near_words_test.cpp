// What a misspelt word may stand for.
#include "base/text/near_words.hpp"

#include <gtest/gtest.h>

namespace geodescent {
namespace {

TEST(NearWords, EditDistanceCountsLetters) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("logstic", "logistic"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(NearWords, TheNearestWordIsFound) {
  const std::vector<std::string_view> words{"smoothed-hinge", "squared-hinge", "squared", "huber"};
  EXPECT_EQ(nearest_word("squred", words), "squared");
  EXPECT_EQ(nearest_word("squared-hing", words), "squared-hinge");
  EXPECT_EQ(nearest_word("smoothed", words), "smoothed-hinge") << "its beginning";
  EXPECT_EQ(nearest_word("hubre", words), "huber");
  EXPECT_EQ(nearest_word("hinge", words), "smoothed-hinge") << "its last part";
  EXPECT_EQ(nearest_word("tcsh", {"bash", "zsh"}), "") << "half of its letters differ";
  EXPECT_EQ(nearest_word("tolerance", {"threads", "tol"}), "tol");
  EXPECT_EQ(nearest_word("geod-memroy", {"geod", "geod-memory"}), "geod-memory") << "closer than its beginning";
  EXPECT_EQ(nearest_word("logistic", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  EXPECT_EQ(nearest_word("x", words), "") << "a single letter is near to nothing";
  EXPECT_EQ(nearest_word("huber", {}), "");
}

TEST(NearWords, EquallyNearWordsGiveTheFirst) { EXPECT_EQ(nearest_word("cat", {"bat", "hat"}), "bat"); }

TEST(NearWords, DidYouMean) {
  EXPECT_EQ(did_you_mean("lbgfs", {"geod", "lbfgs"}), " (did you mean lbfgs?)");
  EXPECT_EQ(did_you_mean("newton", {"geod", "lbfgs"}), "");
}

}  // namespace
}  // namespace geodescent
