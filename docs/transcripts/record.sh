#!/usr/bin/env bash
# Records whole runs of `whereof ask` with the default model: standard output and standard error as
# they came. From the project's root, after `make build` and `make model`:
#
#   docs/transcripts/record.sh [BUDGET_SECONDS]
#
# The contracts of the CUAD set are looked for in $WHEREOF_CORPUS, else ../shared/corpus.
set -eu
cd "$(dirname "$0")/../.."
budget=${1:-60}
corpus=${WHEREOF_CORPUS:-../shared/corpus}
program=build/release/apps/cli/whereof

record() { # NAME FILE QUESTION...
  local name=$1 file=$2 question code
  shift 2
  : > "docs/transcripts/$name.txt"
  for question in "$@"; do
    {
      printf '$ whereof ask %s "%s" --budget-seconds %s\n' "$(basename "$file")" "$question" \
        "$budget"
      code=0
      "$program" ask "$file" "$question" --budget-seconds "$budget" 2>&1 || code=$?
      printf '(exit code %s)\n\n' "$code"
    } >> "docs/transcripts/$name.txt"
  done
  echo "docs/transcripts/$name.txt"
}

record acquisition-agreement examples/acquisition-agreement.pdf \
  "Does the liability cap in clause 3 conflict with the termination right in clause 11?" \
  "Which law governs this Agreement?" \
  "What earn-out is payable to the Seller?"
record 收购协议 examples/收购协议.pdf \
  "第三条的赔偿限额与第十一条的解除权是否冲突？" \
  "本协议适用哪国法律？" \
  "业绩对赌的承诺利润是多少？"
record cuad-supply-agreement "$corpus/cuad/00-agapeatpcorp-supply-agreement.pdf" \
  "When does the initial term of this agreement end?" \
  "本协议的初始期限是多久？"
record cuad-endorsement-agreement "$corpus/cuad/19-lifewayfoodsinc-endorsement-agreement.pdf" \
  "Which state's law governs the agreement?" \
  "Is there a cap on liability?"
record cuad-franchise-agreement "$corpus/cuad/28-soupmaninc-franchise-agreement2.pdf" \
  "What is the initial term of the franchise?" \
  "What is the escrow agent's fee for source code?"
