"""Runs another exact search for the benchmark, in one thread: one JSON request a
line on standard input, one reply a line on standard output.

    peer.py faiss-cpu|numpy VECTORS QUERIES DIM TOP

The files hold float32. The first reply tells the version, or an error. A request
{"from": J, "limit": NANOSECONDS, "most": N} searches with the question J and those
after it, once at least, until the limit or N calls are reached; the reply has the
wall and processor time of every call and the numbers found by the first.
"""
import json
import sys
import time


class Numpy:
    """All products, then the greatest of them."""

    def __init__(self, vectors, top):
        import numpy
        self.np, self.version = numpy, numpy.__version__
        self.rows, self.top = vectors, min(top, len(vectors))

    def search(self, query):
        scores = self.rows @ query
        best = self.np.argpartition(scores, len(scores) - self.top)[len(scores) - self.top:]
        return best[self.np.argsort(-scores[best])]


class Faiss:
    def __init__(self, vectors, top):
        import faiss
        self.version, self.top = faiss.__version__, min(top, len(vectors))
        faiss.omp_set_num_threads(1)
        self.index = faiss.IndexFlatIP(vectors.shape[1])
        self.index.add(vectors)

    def search(self, query):
        return self.index.search(query.reshape(1, -1), self.top)[1][0]


ENGINES = {"numpy": Numpy, "faiss-cpu": Faiss}


def measure(engine, queries, request):
    wall, cpu, spent, at, found = [], [], 0, request["from"], None
    while not wall or spent < request["limit"] and len(wall) < request["most"]:
        query = queries[at % len(queries)]
        begin, busy = time.perf_counter_ns(), time.thread_time_ns()
        best = engine.search(query)
        cpu.append(time.thread_time_ns() - busy)
        wall.append(time.perf_counter_ns() - begin)
        spent += wall[-1]
        at += 1
        found = [int(n) for n in best] if found is None else found
    return {"wall": wall, "cpu": cpu, "found": found}


def say(reply):
    print(json.dumps(reply), file=OUT, flush=True)


def main():
    name, vectors, queries, dim, top = sys.argv[1:4] + [int(n) for n in sys.argv[4:6]]
    try:
        import numpy
        rows = numpy.fromfile(vectors, dtype=numpy.float32).reshape(-1, dim)
        asked = numpy.fromfile(queries, dtype=numpy.float32).reshape(-1, dim)
        engine = ENGINES[name](rows, top)
        if name != "numpy":
            del rows  # it has its own copy
    except Exception as e:  # whatever an engine raises is why it isn't there
        say({"error": f"{type(e).__name__}: {e}"})
        return
    say({"version": engine.version})
    for line in sys.stdin:
        try:
            say(measure(engine, asked, json.loads(line)))
        except Exception as e:
            say({"error": f"{type(e).__name__}: {e}"})


OUT, sys.stdout = sys.stdout, sys.stderr  # what an engine prints is no reply
if __name__ == "__main__":
    main()
