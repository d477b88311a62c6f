#include "fuzz/job_pool.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

namespace varylink::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(fd, text.data() + at, text.size() - at);
    if (written <= 0) ::_exit(3);
    at += static_cast<std::size_t>(written);
  }
}

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return text;
}

struct Job {
  pid_t pid = -1;
  int fd = -1;
  std::uint64_t next = 0;  // first seed of this process
  std::uint64_t current = 0;
  std::string words;  // of the current seed
  bool busy = false;
  bool finished = false;
  std::string buffer;
  Clock::time_point last_news;
};

class Pool {
 public:
  Pool(const PoolOptions& options, const SeedCheck& check) : options_(options), check_(check), start_(Clock::now()) {}

  PoolSummary run() {
    jobs_.resize(std::max(1u, options_.jobs));
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      jobs_[i].next = options_.first + i;
      start(jobs_[i]);
    }
    while (std::any_of(jobs_.begin(), jobs_.end(), [](const Job& job) { return job.fd >= 0; })) {
      wait_for_news();
      if (summary_.failures.size() >= options_.max_failures) stop_all();
    }
    std::sort(summary_.failures.begin(), summary_.failures.end(),
              [](const SeedResult& a, const SeedResult& b) { return a.seed < b.seed; });
    summary_.seconds = seconds_since(start_);
    return std::move(summary_);
  }

 private:
  const PoolOptions& options_;
  const SeedCheck& check_;
  Clock::time_point start_;
  std::vector<Job> jobs_;
  PoolSummary summary_;

  bool out_of_time() const { return options_.time_limit_s > 0 && seconds_since(start_) > options_.time_limit_s; }

  void start(Job& job) {
    if (job.next > options_.last || out_of_time() || summary_.failures.size() >= options_.max_failures) return;
    int ends[2];
    if (::pipe(ends) != 0) return;
    job.pid = ::fork();
    if (job.pid == 0) {
      ::close(ends[0]);
      for (const Job& other : jobs_) {
        if (other.fd >= 0) ::close(other.fd);
      }
      run_child(job.next, ends[1]);
    }
    ::close(ends[1]);
    job.fd = ends[0];
    job.busy = job.finished = false;
    job.last_news = Clock::now();
  }

  [[noreturn]] void run_child(std::uint64_t seed, int fd) {
    std::string reason = "--no-verify";
    std::unique_ptr<Oracle> oracle = options_.draw ? Oracle::start(reason) : nullptr;
    if (!oracle) write_all(fd, "blind\t" + one_line(reason) + "\n");
    for (; seed <= options_.last && !out_of_time(); seed += jobs_.size()) {
      write_all(fd, "start\t" + std::to_string(seed) + "\n");
      Coverage coverage;
      const CheckResult result = check_(seed, oracle.get(), coverage);
      const std::string table = coverage.serialize();
      std::string counts;
      for (std::size_t at = 0, end = 0; (end = table.find('\n', at)) != std::string::npos; at = end + 1) {
        counts += "count\t" + table.substr(at, end - at + 1);
      }
      write_all(fd, counts + "words\t" + result.words + "\ndone\t" + std::to_string(static_cast<int>(result.failure)) +
                        "\t" + result.level + "\t" + one_line(result.detail) + "\n");
    }
    write_all(fd, "end\n");
    oracle.reset();
    ::_exit(0);
  }

  void wait_for_news() {
    std::vector<pollfd> fds;
    for (const Job& job : jobs_) fds.push_back({job.fd, POLLIN, 0});
    ::poll(fds.data(), fds.size(), 500);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      Job& job = jobs_[i];
      if (job.fd < 0) continue;
      if (fds[i].revents != 0) {
        read_news(job);
      } else if (job.busy && seconds_since(job.last_news) > options_.seed_limit_s) {
        ::kill(job.pid, SIGKILL);
        close(job,
              {Failure::hang, "no answer after " + std::to_string(static_cast<int>(options_.seed_limit_s)) + " s", {}});
      }
    }
  }

  void stop_all() {
    for (Job& job : jobs_) {
      if (job.fd < 0) continue;
      ::kill(job.pid, SIGKILL);
      ::close(job.fd);
      ::waitpid(job.pid, nullptr, 0);
      job.fd = -1;
    }
  }

  void read_news(Job& job) {
    char bytes[65536];
    const ssize_t size = ::read(job.fd, bytes, sizeof bytes);
    if (size > 0) {
      job.buffer.append(bytes, static_cast<std::size_t>(size));
      job.last_news = Clock::now();
      for (std::size_t end = 0; (end = job.buffer.find('\n')) != std::string::npos;) {
        handle(job, job.buffer.substr(0, end));
        job.buffer.erase(0, end + 1);
      }
      return;
    }
    close(job, {Failure::crash, "", {}});
  }

  void handle(Job& job, const std::string& line) {
    const std::size_t tab = line.find('\t');
    const std::string what = line.substr(0, tab);
    const std::string rest = tab == std::string::npos ? "" : line.substr(tab + 1);
    if (what == "start") {
      job.current = std::stoull(rest);
      job.busy = true;
    } else if (what == "count") {
      summary_.coverage.add_line(rest);
    } else if (what == "words") {
      job.words = rest;
    } else if (what == "blind") {
      summary_.no_oracle = rest;
    } else if (what == "end") {
      job.finished = true;
    } else if (what == "done") {
      job.busy = false;
      ++summary_.done;
      const std::size_t second = rest.find('\t');
      const std::size_t third = rest.find('\t', second + 1);
      const auto failure = static_cast<Failure>(std::stoi(rest.substr(0, second)));
      if (failure == Failure::none) {
        summary_.words[job.current] = job.words;
        return;
      }
      summary_.failures.push_back(
          {job.current, {failure, rest.substr(third + 1), rest.substr(second + 1, third - second - 1)}});
    }
  }

  // The process is gone, or has to go. If it was at work on a seed, that seed failed.
  void close(Job& job, CheckResult result) {
    ::close(job.fd);
    job.fd = -1;
    int status = 0;
    ::waitpid(job.pid, &status, 0);
    if (job.finished) return;
    if (result.failure == Failure::crash) {
      result.detail = WIFSIGNALED(status)
                          ? "signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")"
                          : "exit status " + std::to_string(WEXITSTATUS(status));
    }
    if (job.busy) {
      ++summary_.done;
      summary_.failures.push_back({job.current, result});
    } else {
      job.current = job.next;
    }
    job.next = job.current + jobs_.size();
    job.buffer.clear();
    start(job);
  }
};

}  // namespace

PoolSummary run_seeds(const PoolOptions& options, const SeedCheck& check) {
  std::signal(SIGPIPE, SIG_IGN);
  return Pool(options, check).run();
}

}  // namespace varylink::fuzz
