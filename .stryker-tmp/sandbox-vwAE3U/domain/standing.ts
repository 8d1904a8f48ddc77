// How a player stands on one board: what their stream folds to under the board's rules, and the decisions that are made on it. On a
// unique board a deletion takes all submissions before it, so the first and the best suffice; where the rules have ever changed,
// deletions of both kinds are in the stream, and every submission is kept.
function stryNS_9fa48() {
  var g = typeof globalThis === 'object' && globalThis && globalThis.Math === Math && globalThis || new Function("return this")();
  var ns = g.__stryker__ || (g.__stryker__ = {});
  if (ns.activeMutant === undefined && g.process && g.process.env && g.process.env.__STRYKER_ACTIVE_MUTANT__) {
    ns.activeMutant = g.process.env.__STRYKER_ACTIVE_MUTANT__;
  }
  function retrieveNS() {
    return ns;
  }
  stryNS_9fa48 = retrieveNS;
  return retrieveNS();
}
stryNS_9fa48();
function stryCov_9fa48() {
  var ns = stryNS_9fa48();
  var cov = ns.mutantCoverage || (ns.mutantCoverage = {
    static: {},
    perTest: {}
  });
  function cover() {
    var c = cov.static;
    if (ns.currentTestId) {
      c = cov.perTest[ns.currentTestId] = cov.perTest[ns.currentTestId] || {};
    }
    var a = arguments;
    for (var i = 0; i < a.length; i++) {
      c[a[i]] = (c[a[i]] || 0) + 1;
    }
  }
  stryCov_9fa48 = cover;
  cover.apply(null, arguments);
}
function stryMutAct_9fa48(id) {
  var ns = stryNS_9fa48();
  function isActive(id) {
    if (ns.activeMutant === id) {
      if (ns.hitCount !== void 0 && ++ns.hitCount > ns.hitLimit) {
        throw new Error('Stryker: Hit count limit reached (' + ns.hitCount + ')');
      }
      return true;
    }
    return false;
  }
  stryMutAct_9fa48 = isActive;
  return isActive(id);
}
import type { Rules } from './board-rules.ts';
import type { Aggregate, Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import { compareDecimals } from './decimal.ts';
import { orderUnder, reduceEntry, within } from './entry.ts';
import { type Placed, place, type ScoreEvent, type ScoreSubmittedData } from './score.ts';
import { SubmissionsLeft } from './submissions-left.ts';
export interface Standing {
  /** The first submission not deleted: gives a unique board's entry its id and `added`. */
  readonly first: Placed | null;
  /** The best submission within bounds. */
  readonly best: Placed | null;
}

/** Not unique, or once the rules have changed: every submission not deleted. */
type All = SubmissionsLeft<Placed>;
const NOTHING: Standing = stryMutAct_9fa48("4620") ? {} : (stryCov_9fa48("4620"), {
  first: null,
  best: null
});

/** Whether only the first and the best of a unique board are kept, as suffices while its rules have never changed. */
export type Kept = 'first and best' | 'all';
const made = stryMutAct_9fa48("4621") ? {} : (stryCov_9fa48("4621"), {
  'first and best': new WeakMap<Rules, Standings>(),
  all: new WeakMap<Rules, Standings>()
});
type Standings = Aggregate<Standing, ScoreEvent>;

/** The standing under given rules: the same aggregate for the same rules. */
export function standing(rules: Rules, kept: Kept = stryMutAct_9fa48("4622") ? "" : (stryCov_9fa48("4622"), 'first and best')): Standings {
  if (stryMutAct_9fa48("4623")) {
    {}
  } else {
    stryCov_9fa48("4623");
    const before = made[kept].get(rules);
    if (stryMutAct_9fa48("4626") ? before === undefined : stryMutAct_9fa48("4625") ? false : stryMutAct_9fa48("4624") ? true : (stryCov_9fa48("4624", "4625", "4626"), before !== undefined)) return before;
    const aggregate = standingUnder(rules, stryMutAct_9fa48("4629") ? !rules.unique && kept === 'all' : stryMutAct_9fa48("4628") ? false : stryMutAct_9fa48("4627") ? true : (stryCov_9fa48("4627", "4628", "4629"), (stryMutAct_9fa48("4630") ? rules.unique : (stryCov_9fa48("4630"), !rules.unique)) || (stryMutAct_9fa48("4632") ? kept !== 'all' : stryMutAct_9fa48("4631") ? false : (stryCov_9fa48("4631", "4632"), kept === (stryMutAct_9fa48("4633") ? "" : (stryCov_9fa48("4633"), 'all'))))));
    made[kept].set(rules, aggregate);
    return aggregate;
  }
}
function standingUnder(rules: Rules, keepsAll: boolean): Standings {
  if (stryMutAct_9fa48("4634")) {
    {}
  } else {
    stryCov_9fa48("4634");
    const initial: Standing = keepsAll ? SubmissionsLeft.none<Placed>(orderUnder(rules)) : NOTHING;
    return stryMutAct_9fa48("4635") ? {} : (stryCov_9fa48("4635"), {
      name: stryMutAct_9fa48("4636") ? `` : (stryCov_9fa48("4636"), `standing ${JSON.stringify(rules)}${keepsAll ? stryMutAct_9fa48("4637") ? "" : (stryCov_9fa48("4637"), ' of all') : stryMutAct_9fa48("4638") ? "Stryker was here!" : (stryCov_9fa48("4638"), '')}`),
      initial,
      evolve(state, event, moment) {
        if (stryMutAct_9fa48("4639")) {
          {}
        } else {
          stryCov_9fa48("4639");
          switch (event.type) {
            case stryMutAct_9fa48("4641") ? "" : (stryCov_9fa48("4641"), 'ScoreSubmitted'):
              if (stryMutAct_9fa48("4640")) {} else {
                stryCov_9fa48("4640");
                {
                  if (stryMutAct_9fa48("4642")) {
                    {}
                  } else {
                    stryCov_9fa48("4642");
                    const placed = place(event.data, moment);
                    return isAll(state) ? state.with(placed) : reduced(rules, state, event, placed);
                  }
                }
              }
            case stryMutAct_9fa48("4644") ? "" : (stryCov_9fa48("4644"), 'ScoreDeleted'):
              if (stryMutAct_9fa48("4643")) {} else {
                stryCov_9fa48("4643");
                return (stryMutAct_9fa48("4647") ? event.data.upTo === null || isAll(state) : stryMutAct_9fa48("4646") ? false : stryMutAct_9fa48("4645") ? true : (stryCov_9fa48("4645", "4646", "4647"), (stryMutAct_9fa48("4649") ? event.data.upTo !== null : stryMutAct_9fa48("4648") ? true : (stryCov_9fa48("4648", "4649"), event.data.upTo === null)) && isAll(state))) ? state.without(event.data.id) : initial;
              }
            default:
              if (stryMutAct_9fa48("4650")) {} else {
                stryCov_9fa48("4650");
                return state;
              }
          }
        }
      }
    });
  }
}
const isAll = stryMutAct_9fa48("4651") ? () => undefined : (stryCov_9fa48("4651"), (() => {
  const isAll = (state: Standing): state is All => state instanceof SubmissionsLeft;
  return isAll;
})());
function reduced(rules: Rules, {
  first,
  best
}: Standing, event: ScoreEvent, placed: Placed): Standing {
  if (stryMutAct_9fa48("4652")) {
    {}
  } else {
    stryCov_9fa48("4652");
    const change = reduceEntry(rules, (stryMutAct_9fa48("4655") ? first !== null : stryMutAct_9fa48("4654") ? false : stryMutAct_9fa48("4653") ? true : (stryCov_9fa48("4653", "4654", "4655"), first === null)) ? null : stryMutAct_9fa48("4656") ? {} : (stryCov_9fa48("4656"), {
      id: first.id,
      shown: best
    }), event);
    if (stryMutAct_9fa48("4659") ? change !== 'show' : stryMutAct_9fa48("4658") ? false : stryMutAct_9fa48("4657") ? true : (stryCov_9fa48("4657", "4658", "4659"), change === (stryMutAct_9fa48("4660") ? "" : (stryCov_9fa48("4660"), 'show')))) return stryMutAct_9fa48("4661") ? {} : (stryCov_9fa48("4661"), {
      first: stryMutAct_9fa48("4662") ? first && placed : (stryCov_9fa48("4662"), first ?? placed),
      best: placed
    });
    return stryMutAct_9fa48("4663") ? {} : (stryCov_9fa48("4663"), {
      first: stryMutAct_9fa48("4664") ? first && placed : (stryCov_9fa48("4664"), first ?? placed),
      best
    });
  }
}

/** Records a submission. Refuses one outside the bounds: 422 `score_below_minimum` or `score_above_maximum`. */
export function submitScore(rules: Rules, data: ScoreSubmittedData): Decision<Standing, ScoreEvent> {
  if (stryMutAct_9fa48("4665")) {
    {}
  } else {
    stryCov_9fa48("4665");
    return () => {
      if (stryMutAct_9fa48("4666")) {
        {}
      } else {
        stryCov_9fa48("4666");
        if (stryMutAct_9fa48("4669") ? rules.minScore !== null || compareDecimals(data.score, rules.minScore) < 0 : stryMutAct_9fa48("4668") ? false : stryMutAct_9fa48("4667") ? true : (stryCov_9fa48("4667", "4668", "4669"), (stryMutAct_9fa48("4671") ? rules.minScore === null : stryMutAct_9fa48("4670") ? true : (stryCov_9fa48("4670", "4671"), rules.minScore !== null)) && (stryMutAct_9fa48("4674") ? compareDecimals(data.score, rules.minScore) >= 0 : stryMutAct_9fa48("4673") ? compareDecimals(data.score, rules.minScore) <= 0 : stryMutAct_9fa48("4672") ? true : (stryCov_9fa48("4672", "4673", "4674"), compareDecimals(data.score, rules.minScore) < 0)))) {
          if (stryMutAct_9fa48("4675")) {
            {}
          } else {
            stryCov_9fa48("4675");
            throw new Refusal(stryMutAct_9fa48("4676") ? "" : (stryCov_9fa48("4676"), 'unprocessable'), stryMutAct_9fa48("4677") ? "" : (stryCov_9fa48("4677"), 'score_below_minimum'), stryMutAct_9fa48("4678") ? `` : (stryCov_9fa48("4678"), `The lowest score taken is ${rules.minScore}.`), stryMutAct_9fa48("4679") ? {} : (stryCov_9fa48("4679"), {
              min_score: rules.minScore
            }));
          }
        }
        if (stryMutAct_9fa48("4682") ? rules.maxScore !== null || compareDecimals(data.score, rules.maxScore) > 0 : stryMutAct_9fa48("4681") ? false : stryMutAct_9fa48("4680") ? true : (stryCov_9fa48("4680", "4681", "4682"), (stryMutAct_9fa48("4684") ? rules.maxScore === null : stryMutAct_9fa48("4683") ? true : (stryCov_9fa48("4683", "4684"), rules.maxScore !== null)) && (stryMutAct_9fa48("4687") ? compareDecimals(data.score, rules.maxScore) <= 0 : stryMutAct_9fa48("4686") ? compareDecimals(data.score, rules.maxScore) >= 0 : stryMutAct_9fa48("4685") ? true : (stryCov_9fa48("4685", "4686", "4687"), compareDecimals(data.score, rules.maxScore) > 0)))) {
          if (stryMutAct_9fa48("4688")) {
            {}
          } else {
            stryCov_9fa48("4688");
            throw new Refusal(stryMutAct_9fa48("4689") ? "" : (stryCov_9fa48("4689"), 'unprocessable'), stryMutAct_9fa48("4690") ? "" : (stryCov_9fa48("4690"), 'score_above_maximum'), stryMutAct_9fa48("4691") ? `` : (stryCov_9fa48("4691"), `The highest score taken is ${rules.maxScore}.`), stryMutAct_9fa48("4692") ? {} : (stryCov_9fa48("4692"), {
              max_score: rules.maxScore
            }));
          }
        }
        return stryMutAct_9fa48("4693") ? [] : (stryCov_9fa48("4693"), [stryMutAct_9fa48("4694") ? {} : (stryCov_9fa48("4694"), {
          type: stryMutAct_9fa48("4695") ? "" : (stryCov_9fa48("4695"), 'ScoreSubmitted'),
          data
        })]);
      }
    };
  }
}

/** Takes an entry from its board: on a unique board with every submission so far, else that submission alone. */
export function deleteScore(rules: Rules, id: string): Decision<Standing, ScoreEvent> {
  if (stryMutAct_9fa48("4696")) {
    {}
  } else {
    stryCov_9fa48("4696");
    return (state, last) => {
      if (stryMutAct_9fa48("4697")) {
        {}
      } else {
        stryCov_9fa48("4697");
        if (stryMutAct_9fa48("4700") ? false : stryMutAct_9fa48("4699") ? true : stryMutAct_9fa48("4698") ? stands(rules, state, id) : (stryCov_9fa48("4698", "4699", "4700"), !stands(rules, state, id))) throw new Refusal(stryMutAct_9fa48("4701") ? "" : (stryCov_9fa48("4701"), 'not_found'), stryMutAct_9fa48("4702") ? "" : (stryCov_9fa48("4702"), 'score_not_found'), stryMutAct_9fa48("4703") ? "" : (stryCov_9fa48("4703"), 'There is no such score.'));
        return stryMutAct_9fa48("4704") ? [] : (stryCov_9fa48("4704"), [stryMutAct_9fa48("4705") ? {} : (stryCov_9fa48("4705"), {
          type: stryMutAct_9fa48("4706") ? "" : (stryCov_9fa48("4706"), 'ScoreDeleted'),
          data: stryMutAct_9fa48("4707") ? {} : (stryCov_9fa48("4707"), {
            id,
            upTo: rules.unique ? last : null
          })
        })]);
      }
    };
  }
}

/** Whether the board has such an entry of the player's; what lies outside its bounds is none. */
function stands(rules: Rules, state: Standing, id: string): boolean {
  if (stryMutAct_9fa48("4708")) {
    {}
  } else {
    stryCov_9fa48("4708");
    if (stryMutAct_9fa48("4710") ? false : stryMutAct_9fa48("4709") ? true : (stryCov_9fa48("4709", "4710"), rules.unique)) return stryMutAct_9fa48("4713") ? state.best !== null || state.first?.id === id : stryMutAct_9fa48("4712") ? false : stryMutAct_9fa48("4711") ? true : (stryCov_9fa48("4711", "4712", "4713"), (stryMutAct_9fa48("4715") ? state.best === null : stryMutAct_9fa48("4714") ? true : (stryCov_9fa48("4714", "4715"), state.best !== null)) && (stryMutAct_9fa48("4717") ? state.first?.id !== id : stryMutAct_9fa48("4716") ? true : (stryCov_9fa48("4716", "4717"), (stryMutAct_9fa48("4718") ? state.first.id : (stryCov_9fa48("4718"), state.first?.id)) === id)));
    const found = isAll(state) ? state.find(id) : null;
    return stryMutAct_9fa48("4721") ? found !== null || within(rules, found.score) : stryMutAct_9fa48("4720") ? false : stryMutAct_9fa48("4719") ? true : (stryCov_9fa48("4719", "4720", "4721"), (stryMutAct_9fa48("4723") ? found === null : stryMutAct_9fa48("4722") ? true : (stryCov_9fa48("4722", "4723"), found !== null)) && within(rules, found.score));
  }
}