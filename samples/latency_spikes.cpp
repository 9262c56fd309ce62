// Why does a service stall now and then? Four causes of a compilation in the middle of serving,
// each shown by the guard that failed, and the same service mended.
#include <ATen/ATen.h>

#include <iostream>
#include <string>

#include "compiler/compiler.h"

namespace {

struct Request {
  at::Tensor x;
  double temperature = 1.0;
  std::string what;
};

at::Tensor serve(const at::Tensor& x, const at::Tensor& w, double temperature) {
  return at::softmax(at::matmul(x, w.to(x.scalar_type())) / temperature, -1);
}

/// The temperature as a tensor is data, not a guarded value.
at::Tensor serveMended(const at::Tensor& x, const at::Tensor& w, const at::Tensor& temperature) {
  return at::softmax(at::matmul(x, w) / temperature, -1);
}

std::vector<Request> traffic() {
  std::vector<Request> requests;
  requests.push_back({at::randn({4, 16}), 1.0, "first request"});
  requests.push_back({at::randn({4, 16}), 1.0, "same again"});
  requests.push_back({at::randn({6, 16}), 1.0, "new batch size"});
  requests.push_back({at::randn({9, 16}), 1.0, "another batch size"});
  requests.push_back({at::randn({4, 16}), 0.7, "another temperature"});
  requests.push_back({at::randn({4, 16}).to(at::kDouble), 1.0, "another dtype"});
  for (const double temperature : {0.1, 0.2, 0.3, 0.4, 0.5}) {
    requests.push_back({at::randn({4, 16}), temperature, "another temperature"});
  }
  return requests;
}

/// Serves one request and says how it was served.
template <class Serve>
void report(const jitscope::compiler::Frame& frame, const Request& request, Serve serveIt) {
  const auto before = frame.counts();
  serveIt();
  const auto after = frame.counts();
  std::cout << "  " << request.what << ": ";
  if (after.compiles > before.compiles) {
    std::cout << (after.recompiles > before.recompiles ? "SPIKE, compiled again" : "compiled");
  } else {
    std::cout << (after.eager > before.eager ? "SLOW, limit reached, ran eagerly" : "hit");
  }
  std::cout << '\n';
  if (after.recompiles > before.recompiles) {
    const auto recompiles = frame.recompiles();
    for (const std::string& failure : recompiles.back().failures) {
      std::cout << "      " << failure << '\n';
    }
  }
}

void serveWithSpikes(const at::Tensor& w) {
  std::cout << "as written:\n";
  const auto compiled =
      jitscope::compile(serve, {.argumentNames = {"x", "w", "temperature"}, .recompileLimit = 6});
  for (const Request& request : traffic()) {
    report(compiled.frame(), request, [&] { compiled(request.x, w, request.temperature); });
  }
}

void serveMendedTraffic(const at::Tensor& w) {
  std::cout << "mended: batch marked dynamic, temperature a tensor, one dtype, warmed up:\n";
  const auto compiled =
      jitscope::compile(serveMended, {.argumentNames = {"x", "w", "temperature"}});
  const auto call = [&](const Request& request) {
    at::Tensor x = request.x.to(at::kFloat);
    jitscope::markDynamic(x, 0);
    compiled(x, w, at::full({}, request.temperature));
  };
  for (const int64_t batch : {4, 8}) call({at::randn({batch, 16}), 1.0, "warm-up"});
  for (const Request& request : traffic()) {
    report(compiled.frame(), request, [&] { call(request); });
  }
}

}  // namespace

int main() {
  at::manual_seed(0);
  const at::Tensor w = at::randn({16, 16});
  serveWithSpikes(w);
  serveMendedTraffic(w);
}
