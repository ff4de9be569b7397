// The index of the first value that matches, for runs and patterns: node matching.js QUESTION ANSWER
//
// QUESTION: {"patterns": [...], "runs": [[value, ...], ...], "parts": [[run, ...], [run, ...]], "patience": s}
// ANSWER: {"compile": s, "parts": [[runs, s], ...], "firsts": [[run, [[pattern, value], ...]], ...], "refused": [...]}
//
// Of each part, as many runs are asked about as there is patience for.
"use strict";

const { readFileSync, writeFileSync } = require("node:fs");

const [question, answer] = process.argv.slice(2);
const { patterns, runs, parts, patience } = JSON.parse(readFileSync(question, "utf8"));

function secondsSince(start) {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function firstMatches(regexes, values) {
  const firsts = [];
  for (let pattern = 0; pattern < regexes.length; pattern++) {
    const regex = regexes[pattern];
    if (regex === null) continue;
    for (let value = 0; value < values.length; value++) {
      if (regex.test(values[value])) {
        firsts.push([pattern, value]);
        break;
      }
    }
  }
  return firsts;
}

const refused = [];
const started = process.hrtime.bigint();
const regexes = patterns.map((pattern, index) => {
  try {
    return new RegExp(pattern, "i");
  } catch {
    refused.push(index);
    return null;
  }
});
const compile = secondsSince(started);

const firsts = [];
const taken = parts.map((part) => {
  let count = 0;
  let seconds = 0;
  const begun = process.hrtime.bigint();
  while (count < part.length && seconds < patience) {
    const run = part[count++];
    firsts.push([run, firstMatches(regexes, runs[run])]);
    seconds = secondsSince(begun);
  }
  return [count, seconds];
});

writeFileSync(answer, JSON.stringify({ compile, parts: taken, firsts, refused }));
