"""Runs another embedding engine for the benchmark: one JSON request a line on
standard input, one reply a line on standard output.

    peer.py onnxruntime FILE.onnx THREADS
    peer.py llama-cpp-python FILE.gguf THREADS

The first reply tells the version, or an error. A request {"ids": [[...], ...],
"limit": NANOSECONDS, "most": N} embeds the texts again and again, once at least,
until the limit or N calls are reached; the reply has the wall and processor time
of every call, and with "vectors": true the vectors of the last. What is timed
is the engine's call alone, not filling its input; of what comes out, ONNX
Runtime's is pooled outside, llama.cpp pools by itself and its vectors are copied
inside, as the next pass overwrites them.
"""
import json
import math
import sys
import time


class OnnxRuntime:
    """Texts of one request have the same length, so that nothing is padded."""

    def __init__(self, path, threads):
        import numpy
        import onnxruntime
        self.np, self.version = numpy, onnxruntime.__version__
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.output = self.session.get_outputs()[0].name

    def prepare(self, texts):
        ids = self.np.array(texts, dtype=self.np.int64)
        self.feed = {"input_ids": ids, "attention_mask": self.np.ones_like(ids), "token_type_ids": self.np.zeros_like(ids)}

    def call(self):
        self.hidden = self.session.run([self.output], self.feed)[0]

    def vectors(self):
        return self.hidden.astype(self.np.float64).mean(axis=1).tolist()


class LlamaCpp:
    """Texts of one request go in passes of 256 tokens, or of one text: attention
    is computed between all tokens of a pass, so that larger ones are slower."""

    PASS = 256

    def __init__(self, path, threads):
        import ctypes
        import llama_cpp
        self.lib, self.version = llama_cpp, llama_cpp.__version__
        self.quiet = llama_cpp.llama_log_callback(lambda *_: None)  # kept, or it is collected
        llama_cpp.llama_log_set(self.quiet, ctypes.c_void_p(0))
        self.model = llama_cpp.llama_model_load_from_file(path.encode(), llama_cpp.llama_model_default_params())
        if not self.model:
            raise RuntimeError("the model can't be loaded")
        p = llama_cpp.llama_context_default_params()
        p.n_ctx = p.n_batch = p.n_ubatch = 512
        p.n_seq_max = 64
        p.n_threads = p.n_threads_batch = threads
        p.embeddings, p.kv_unified = True, True
        self.context = llama_cpp.llama_init_from_model(self.model, p)
        if not self.context:
            raise RuntimeError("no context can be made")
        self.width = llama_cpp.llama_model_n_embd(self.model)
        self.passes = []

    def prepare(self, texts):
        for batch, _ in self.passes:
            self.lib.llama_batch_free(batch)
        self.passes, group, rows = [], [], 0
        for ids in texts:
            if group and (rows + len(ids) > self.PASS or len(group) == 64):
                self.passes.append((self.filled(group), len(group)))
                group, rows = [], 0
            group.append(ids)
            rows += len(ids)
        self.passes.append((self.filled(group), len(group)))
        self.results = []

    def filled(self, group):
        batch = self.lib.llama_batch_init(sum(map(len, group)), 0, 1)
        n = 0
        for sequence, ids in enumerate(group):
            for place, token in enumerate(ids):
                batch.token[n], batch.pos[n] = token, place
                batch.n_seq_id[n], batch.seq_id[n][0], batch.logits[n] = 1, sequence, 1
                n += 1
        batch.n_tokens = n
        return batch

    def call(self):
        self.results = []
        for batch, texts in self.passes:
            if self.lib.llama_encode(self.context, batch) != 0:
                raise RuntimeError("the engine refused a batch")
            for sequence in range(texts):
                self.results.append(self.lib.llama_get_embeddings_seq(self.context, sequence)[:self.width])

    def vectors(self):
        return self.results


ENGINES = {"onnxruntime": OnnxRuntime, "llama-cpp-python": LlamaCpp}


def normalised(vector):
    length = math.sqrt(sum(x * x for x in vector)) or 1
    return [x / length for x in vector]


def measure(engine, request, clock):
    engine.prepare(request["ids"])
    wall, cpu, spent = [], [], 0
    while not wall or spent < request["limit"] and len(wall) < request["most"]:
        begin, busy = time.perf_counter_ns(), clock()
        engine.call()
        cpu.append(clock() - busy)
        wall.append(time.perf_counter_ns() - begin)
        spent += wall[-1]
    reply = {"wall": wall, "cpu": cpu}
    if request.get("vectors"):
        reply["vectors"] = [normalised(v) for v in engine.vectors()]
    return reply


def say(reply):
    print(json.dumps(reply), file=OUT, flush=True)


def main():
    name, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    try:
        engine = ENGINES[name](path, threads)
    except Exception as e:  # whatever an engine raises is why it isn't there
        say({"error": f"{type(e).__name__}: {e}"})
        return
    say({"version": engine.version})
    # With one thread an engine works in the caller's; with more, in others.
    clock = time.thread_time_ns if threads == 1 else time.process_time_ns
    for line in sys.stdin:
        try:
            say(measure(engine, json.loads(line), clock))
        except Exception as e:
            say({"error": f"{type(e).__name__}: {e}"})


OUT, sys.stdout = sys.stdout, sys.stderr  # what an engine prints is no reply
if __name__ == "__main__":
    main()
