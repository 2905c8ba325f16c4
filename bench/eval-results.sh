#!/usr/bin/env bash
# Measures retrieval quality anew: bench/results/eval*.txt and the tables of
# docs/retrieval.md. DATA is the folder of the sets, MODELS that of GGUF files
# (optional). Names of runs behind them restrict what is run.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 1 ]; then
  echo "usage: bench/eval-results.sh DATA [MODELS [RUN…]]" >&2
  exit 2
fi
data=$1 models=${2:-} runs=" ${*:3} "
program=$(mktemp)
trap 'rm -f "$program"' EXIT
go build -o "$program" ./bench

# measure RUN FILE PIPELINES FLAGS… writes one result and its tables.
measure() {
  local run=$1 file=$2 pipelines=$3
  shift 3
  if [ "$runs" = "  " ] || [[ $runs == *" $run "* ]]; then
    "$program" eval --pipeline "$pipelines" --out "bench/results/$file.txt" --doc "$run=docs/retrieval.md" "$@"
  fi
}

measure own eval-own default,text,plain-hybrid,text-only,no-decay,no-lexicon,boost-0.1,no-neighbours,no-session-max,no-current,no-periods,no-events,speaker,reference,reference09,reference-no-decay --data bench/testdata
measure main eval default,text,speaker,sentences,best,plain-hybrid,no-lexicon,no-decay,reference,reference09,reference-no-decay --data "$data"
measure one-scope eval-one-scope default,text,speaker,plain-hybrid,reference-no-decay --data "$data/locomo" --scopes=false
measure steps eval-steps default,text-only,no-neighbours,no-neighbour-words,no-neighbour-meaning,no-answers,no-session-max,no-substance,no-question-loss,no-times,no-periods,no-events,no-current,b075,speaker,speaker-alone,sentences,best,no-decay,no-lexicon,boost-whole,no-overlap,no-places,alpha-0.2,alpha-0.3,alpha-0.4,rrf,no-stem,no-stop-words,standard-words,apart --data "$data/locomo"
measure words eval-words default,no-periods,no-current,no-stem,no-stop-words,standard-words,alpha-0.2,alpha-0.3,alpha-0.4,rrf,boost-whole,no-overlap,no-places --data "$data"
measure checks eval-checks plain,plain-apart,stemmed,meaning,reference-no-decay,reference-no-decay-apart --data "$data"
measure lexicon eval-lexicon no-lexicon,default,boost-0.02,boost-0.05,boost-0.1,boost-cut-0.05,boost-whole --data "$data"
for model in e5-small-v2 bge-small-en-v1.5; do
  if [ -n "$models" ]; then
    measure "$model" "eval-$model" default,uncalibrated,plain-hybrid,meaning --data "$data" --embedder "$models/$model/$model-Q8_0.gguf"
  fi
done
