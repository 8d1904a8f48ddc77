// Recomputing a leaderboard's entries from the log, beside the present ones: a new generation of them. It is
// asked for, built in slices of the board's history, and comes into force in one step. Each slice is an event, so what a
// generation holds follows from the log alone, and the builder may crash at any point.
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
import type { Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import type { Moment } from './event.ts';
import { type EventReference, sameReference } from './event-reference.ts';

/** `change` is the rebuild's id. */
type Id = {
  readonly change: string;
  readonly generation: number;
};
export type RebuildEvent = {
  readonly type: 'LeaderboardRulesRequested';
  readonly data: Id & {
    readonly rules: Rules;
  };
}
/** So many events of the history are folded, of so many: before the first slice, and only for telling how far it is. */ | {
  readonly type: 'LeaderboardHistoryFolded';
  readonly data: Id & FoldedSoFar;
} | {
  readonly type: 'LeaderboardSliceBuilt';
  readonly data: Id & BuiltSlice;
}
/**
 * The rest of the history, after the last slice up to this very event, is applied too, and the generation stands. `total`: how
 * many events the history had, where no slice told of that.
 */ | {
  readonly type: 'LeaderboardRulesChanged';
  readonly data: Id & {
    readonly rules: Rules;
    readonly after: EventReference | null;
  } & Replaced;
}
/** Of what is given up, as of what failed, `upTo` says how far it was built. */ | {
  readonly type: 'LeaderboardRulesCancelled';
  readonly data: Id & {
    readonly upTo: EventReference | null;
  };
} | {
  readonly type: 'LeaderboardRulesFailed';
  readonly data: Id & {
    readonly upTo: EventReference | null;
    readonly reason: string;
  };
} | {
  readonly type: 'LeaderboardSliceCleared';
  readonly data: ClearedSlice;
};

/** The board's history after one event (null: from its beginning), up to and with another, is applied to the new generation. */
export type BuiltSlice = {
  readonly after: EventReference | null;
  readonly upTo: EventReference;
  /** How many events that is. */
  readonly events: number;
  /** How many there were in all when this build began or went on: only for telling how far it is. */
  readonly total: number;
  /**
   * Of a board with one entry a player: the history up to there was folded, and written are the entries that show a submission of
   * this part as of that place. The slices of one fold have the same, and end there. Left out: applied event by event.
   */
  readonly asOf?: EventReference;
};
type Replaced = {
  readonly replaces: number;
  readonly total?: number;
};
type FoldedSoFar = Pick<BuiltSlice, 'events' | 'total'>;

/** What this part of the history made in a generation that stands no more is removed; with the last part, all of it is. */
export type ClearedSlice = {
  readonly generation: number;
  readonly after: EventReference | null;
  readonly upTo: EventReference | null;
  /** The last event that was applied to it; null where none was. */
  readonly until: EventReference | null;
};
export interface Rebuild {
  readonly id: string;
  readonly generation: number;
  readonly rules: Rules;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** In recorded events of the board. */
  readonly done: number;
  /** Of those events so many were folded before any was done. Left out where that was too few to tell, or none. */
  readonly folded?: number;
  /** Null until the first slice is built, or some history folded. */
  readonly total: number | null;
  readonly started: string;
  /** When it last went on. */
  readonly moved: string;
  readonly finished: string | null;
  readonly error: string | null;
  /** How far in the board's history it has come. */
  readonly upTo: EventReference | null;
}
interface Superseded {
  readonly generation: number;
  /** How far in the board's history it is removed already. */
  readonly upTo: EventReference | null;
}

/** What a leaderboard says of its entries and their rebuilding. */
export interface Generations {
  /** Those in force. */
  readonly rules: Rules;
  readonly archived: boolean;
  /** Which computing of its entries stands, from 1; and the last one that was begun. */
  readonly generation: number;
  readonly lastGeneration: number;
  /** The rebuild that runs, or ran last. */
  readonly rebuild: Rebuild | null;
  /** Generations that stand no more, and are being removed. */
  readonly superseded: readonly Superseded[];
}

/** 404 `leaderboard_not_found` for one that was never made, or is archived. */
export function existing<State extends Generations>(state: State | null): State {
  if (stryMutAct_9fa48("3889")) {
    {}
  } else {
    stryCov_9fa48("3889");
    if (stryMutAct_9fa48("3892") ? state === null && state.archived : stryMutAct_9fa48("3891") ? false : stryMutAct_9fa48("3890") ? true : (stryCov_9fa48("3890", "3891", "3892"), (stryMutAct_9fa48("3894") ? state !== null : stryMutAct_9fa48("3893") ? false : (stryCov_9fa48("3893", "3894"), state === null)) || state.archived)) {
      if (stryMutAct_9fa48("3895")) {
        {}
      } else {
        stryCov_9fa48("3895");
        throw new Refusal(stryMutAct_9fa48("3896") ? "" : (stryCov_9fa48("3896"), 'not_found'), stryMutAct_9fa48("3897") ? "" : (stryCov_9fa48("3897"), 'leaderboard_not_found'), stryMutAct_9fa48("3898") ? "" : (stryCov_9fa48("3898"), 'There is no such leaderboard.'));
      }
    }
    return state;
  }
}
export function evolveRebuild<State extends Generations>(state: State, event: RebuildEvent, {
  time
}: Moment): State {
  if (stryMutAct_9fa48("3899")) {
    {}
  } else {
    stryCov_9fa48("3899");
    const {
      rebuild
    } = state;
    switch (event.type) {
      case stryMutAct_9fa48("3901") ? "" : (stryCov_9fa48("3901"), 'LeaderboardRulesRequested'):
        if (stryMutAct_9fa48("3900")) {} else {
          stryCov_9fa48("3900");
          {
            if (stryMutAct_9fa48("3902")) {
              {}
            } else {
              stryCov_9fa48("3902");
              const {
                change: id,
                generation,
                rules
              } = event.data;
              const queued = stryMutAct_9fa48("3903") ? {} : (stryCov_9fa48("3903"), {
                done: 0,
                total: null,
                started: time,
                moved: time,
                finished: null,
                error: null,
                upTo: null
              });
              return stryMutAct_9fa48("3904") ? {} : (stryCov_9fa48("3904"), {
                ...state,
                lastGeneration: generation,
                rebuild: stryMutAct_9fa48("3905") ? {} : (stryCov_9fa48("3905"), {
                  id,
                  generation,
                  rules,
                  state: stryMutAct_9fa48("3906") ? "" : (stryCov_9fa48("3906"), 'queued'),
                  ...queued
                })
              });
            }
          }
        }
      case stryMutAct_9fa48("3908") ? "" : (stryCov_9fa48("3908"), 'LeaderboardSliceCleared'):
        if (stryMutAct_9fa48("3907")) {} else {
          stryCov_9fa48("3907");
          return stryMutAct_9fa48("3909") ? {} : (stryCov_9fa48("3909"), {
            ...state,
            superseded: cleared(state.superseded, event.data)
          });
        }
    }
    if (stryMutAct_9fa48("3912") ? rebuild !== null : stryMutAct_9fa48("3911") ? false : stryMutAct_9fa48("3910") ? true : (stryCov_9fa48("3910", "3911", "3912"), rebuild === null)) return state;
    const ended = stryMutAct_9fa48("3913") ? {} : (stryCov_9fa48("3913"), {
      moved: time,
      finished: time
    });
    switch (event.type) {
      case stryMutAct_9fa48("3915") ? "" : (stryCov_9fa48("3915"), 'LeaderboardHistoryFolded'):
        if (stryMutAct_9fa48("3914")) {} else {
          stryCov_9fa48("3914");
          {
            if (stryMutAct_9fa48("3916")) {
              {}
            } else {
              stryCov_9fa48("3916");
              const {
                events: folded,
                total
              } = event.data;
              return stryMutAct_9fa48("3917") ? {} : (stryCov_9fa48("3917"), {
                ...state,
                rebuild: stryMutAct_9fa48("3918") ? {} : (stryCov_9fa48("3918"), {
                  ...rebuild,
                  state: stryMutAct_9fa48("3919") ? "" : (stryCov_9fa48("3919"), 'running'),
                  folded,
                  total,
                  moved: time
                })
              });
            }
          }
        }
      case stryMutAct_9fa48("3921") ? "" : (stryCov_9fa48("3921"), 'LeaderboardSliceBuilt'):
        if (stryMutAct_9fa48("3920")) {} else {
          stryCov_9fa48("3920");
          {
            if (stryMutAct_9fa48("3922")) {
              {}
            } else {
              stryCov_9fa48("3922");
              const {
                events,
                total,
                upTo
              } = event.data;
              const done = stryMutAct_9fa48("3923") ? rebuild.done - events : (stryCov_9fa48("3923"), rebuild.done + events);
              return stryMutAct_9fa48("3924") ? {} : (stryCov_9fa48("3924"), {
                ...state,
                rebuild: stryMutAct_9fa48("3925") ? {} : (stryCov_9fa48("3925"), {
                  ...rebuild,
                  state: stryMutAct_9fa48("3926") ? "" : (stryCov_9fa48("3926"), 'running'),
                  done,
                  total,
                  moved: time,
                  upTo
                })
              });
            }
          }
        }
      case stryMutAct_9fa48("3928") ? "" : (stryCov_9fa48("3928"), 'LeaderboardRulesChanged'):
        if (stryMutAct_9fa48("3927")) {} else {
          stryCov_9fa48("3927");
          {
            if (stryMutAct_9fa48("3929")) {
              {}
            } else {
              stryCov_9fa48("3929");
              const {
                rules,
                generation,
                total = stryMutAct_9fa48("3930") ? rebuild.total && 0 : (stryCov_9fa48("3930"), rebuild.total ?? 0)
              } = event.data;
              const done = stryMutAct_9fa48("3931") ? Math.min(rebuild.done, total) : (stryCov_9fa48("3931"), Math.max(rebuild.done, total));
              const superseded = stryMutAct_9fa48("3932") ? [] : (stryCov_9fa48("3932"), [...state.superseded, stryMutAct_9fa48("3933") ? {} : (stryCov_9fa48("3933"), {
                generation: state.generation,
                upTo: null
              })]);
              const over = {
                ...rebuild,
                ...ended,
                state: 'done',
                done,
                total: done
              } as const;
              return stryMutAct_9fa48("3934") ? {} : (stryCov_9fa48("3934"), {
                ...state,
                rules,
                generation,
                superseded,
                rebuild: over
              });
            }
          }
        }
      case stryMutAct_9fa48("3936") ? "" : (stryCov_9fa48("3936"), 'LeaderboardRulesCancelled'):
        if (stryMutAct_9fa48("3935")) {} else {
          stryCov_9fa48("3935");
          return stryMutAct_9fa48("3937") ? {} : (stryCov_9fa48("3937"), {
            ...state,
            superseded: givenUp(state, rebuild),
            rebuild: stryMutAct_9fa48("3938") ? {} : (stryCov_9fa48("3938"), {
              ...rebuild,
              ...ended,
              state: stryMutAct_9fa48("3939") ? "" : (stryCov_9fa48("3939"), 'cancelled')
            })
          });
        }
      case stryMutAct_9fa48("3941") ? "" : (stryCov_9fa48("3941"), 'LeaderboardRulesFailed'):
        if (stryMutAct_9fa48("3940")) {} else {
          stryCov_9fa48("3940");
          {
            if (stryMutAct_9fa48("3942")) {
              {}
            } else {
              stryCov_9fa48("3942");
              const failed = {
                ...rebuild,
                ...ended,
                state: 'failed',
                error: event.data.reason
              } as const;
              return stryMutAct_9fa48("3943") ? {} : (stryCov_9fa48("3943"), {
                ...state,
                superseded: givenUp(state, rebuild),
                rebuild: failed
              });
            }
          }
        }
      default:
        if (stryMutAct_9fa48("3944")) {} else {
          stryCov_9fa48("3944");
          return state;
        }
    }
  }
}
const givenUp = stryMutAct_9fa48("3945") ? () => undefined : (stryCov_9fa48("3945"), (() => {
  const givenUp = ({
    superseded
  }: Generations, {
    generation
  }: Rebuild): Superseded[] => stryMutAct_9fa48("3946") ? [] : (stryCov_9fa48("3946"), [...superseded, stryMutAct_9fa48("3947") ? {} : (stryCov_9fa48("3947"), {
    generation,
    upTo: null
  })]);
  return givenUp;
})());
function cleared(superseded: readonly Superseded[], {
  generation,
  upTo,
  until
}: ClearedSlice): readonly Superseded[] {
  if (stryMutAct_9fa48("3948")) {
    {}
  } else {
    stryCov_9fa48("3948");
    if (stryMutAct_9fa48("3950") ? false : stryMutAct_9fa48("3949") ? true : (stryCov_9fa48("3949", "3950"), sameReference(upTo, until))) return stryMutAct_9fa48("3951") ? superseded : (stryCov_9fa48("3951"), superseded.filter(stryMutAct_9fa48("3952") ? () => undefined : (stryCov_9fa48("3952"), one => stryMutAct_9fa48("3955") ? one.generation === generation : stryMutAct_9fa48("3954") ? false : stryMutAct_9fa48("3953") ? true : (stryCov_9fa48("3953", "3954", "3955"), one.generation !== generation))));
    return superseded.map(stryMutAct_9fa48("3956") ? () => undefined : (stryCov_9fa48("3956"), one => (stryMutAct_9fa48("3959") ? one.generation !== generation : stryMutAct_9fa48("3958") ? false : stryMutAct_9fa48("3957") ? true : (stryCov_9fa48("3957", "3958", "3959"), one.generation === generation)) ? stryMutAct_9fa48("3960") ? {} : (stryCov_9fa48("3960"), {
      ...one,
      upTo
    }) : one));
  }
}

/** The rebuild that runs, where it is this one; else null. */
export function running(state: Generations | null, change?: string): Rebuild | null {
  if (stryMutAct_9fa48("3961")) {
    {}
  } else {
    stryCov_9fa48("3961");
    if (stryMutAct_9fa48("3964") ? (state === null || state.archived || state.rebuild === null) && state.rebuild.finished !== null : stryMutAct_9fa48("3963") ? false : stryMutAct_9fa48("3962") ? true : (stryCov_9fa48("3962", "3963", "3964"), (stryMutAct_9fa48("3966") ? (state === null || state.archived) && state.rebuild === null : stryMutAct_9fa48("3965") ? false : (stryCov_9fa48("3965", "3966"), (stryMutAct_9fa48("3968") ? state === null && state.archived : stryMutAct_9fa48("3967") ? false : (stryCov_9fa48("3967", "3968"), (stryMutAct_9fa48("3970") ? state !== null : stryMutAct_9fa48("3969") ? false : (stryCov_9fa48("3969", "3970"), state === null)) || state.archived)) || (stryMutAct_9fa48("3972") ? state.rebuild !== null : stryMutAct_9fa48("3971") ? false : (stryCov_9fa48("3971", "3972"), state.rebuild === null)))) || (stryMutAct_9fa48("3974") ? state.rebuild.finished === null : stryMutAct_9fa48("3973") ? false : (stryCov_9fa48("3973", "3974"), state.rebuild.finished !== null)))) return null;
    return (stryMutAct_9fa48("3977") ? change === undefined && state.rebuild.id === change : stryMutAct_9fa48("3976") ? false : stryMutAct_9fa48("3975") ? true : (stryCov_9fa48("3975", "3976", "3977"), (stryMutAct_9fa48("3979") ? change !== undefined : stryMutAct_9fa48("3978") ? false : (stryCov_9fa48("3978", "3979"), change === undefined)) || (stryMutAct_9fa48("3981") ? state.rebuild.id !== change : stryMutAct_9fa48("3980") ? false : (stryCov_9fa48("3980", "3981"), state.rebuild.id === change)))) ? state.rebuild : null;
  }
}

/** 409 `rebuild_running` while one runs. */
export function requestRebuild(present: Generations, rules: Rules, id: string): readonly RebuildEvent[] {
  if (stryMutAct_9fa48("3982")) {
    {}
  } else {
    stryCov_9fa48("3982");
    if (stryMutAct_9fa48("3985") ? running(present) === null : stryMutAct_9fa48("3984") ? false : stryMutAct_9fa48("3983") ? true : (stryCov_9fa48("3983", "3984", "3985"), running(present) !== null)) {
      if (stryMutAct_9fa48("3986")) {
        {}
      } else {
        stryCov_9fa48("3986");
        throw new Refusal(stryMutAct_9fa48("3987") ? "" : (stryCov_9fa48("3987"), 'conflict'), stryMutAct_9fa48("3988") ? "" : (stryCov_9fa48("3988"), 'rebuild_running'), stryMutAct_9fa48("3989") ? "" : (stryCov_9fa48("3989"), 'This leaderboard is being rebuilt. Wait until that is done, or cancel it: DELETE its rebuild.'));
      }
    }
    const generation = stryMutAct_9fa48("3990") ? present.lastGeneration - 1 : (stryCov_9fa48("3990"), present.lastGeneration + 1);
    return stryMutAct_9fa48("3991") ? [] : (stryCov_9fa48("3991"), [stryMutAct_9fa48("3992") ? {} : (stryCov_9fa48("3992"), {
      type: stryMutAct_9fa48("3993") ? "" : (stryCov_9fa48("3993"), 'LeaderboardRulesRequested'),
      data: stryMutAct_9fa48("3994") ? {} : (stryCov_9fa48("3994"), {
        change: id,
        generation,
        rules
      })
    })]);
  }
}

/** Recomputes the entries under the rules in force. */
export function rebuildLeaderboard(id: string): Decision<Generations | null, RebuildEvent> {
  if (stryMutAct_9fa48("3995")) {
    {}
  } else {
    stryCov_9fa48("3995");
    return stryMutAct_9fa48("3996") ? () => undefined : (stryCov_9fa48("3996"), state => requestRebuild(existing(state), existing(state).rules, id));
  }
}

/** Nothing where the rebuild is over, or has come elsewhere: another one builds it too. */
export function buildSlice(change: string, slice: BuiltSlice): Decision<Generations | null, RebuildEvent> {
  if (stryMutAct_9fa48("3997")) {
    {}
  } else {
    stryCov_9fa48("3997");
    return state => {
      if (stryMutAct_9fa48("3998")) {
        {}
      } else {
        stryCov_9fa48("3998");
        const present = running(state, change);
        if (stryMutAct_9fa48("4001") ? present === null && !sameReference(present.upTo, slice.after) : stryMutAct_9fa48("4000") ? false : stryMutAct_9fa48("3999") ? true : (stryCov_9fa48("3999", "4000", "4001"), (stryMutAct_9fa48("4003") ? present !== null : stryMutAct_9fa48("4002") ? false : (stryCov_9fa48("4002", "4003"), present === null)) || (stryMutAct_9fa48("4004") ? sameReference(present.upTo, slice.after) : (stryCov_9fa48("4004"), !sameReference(present.upTo, slice.after))))) return stryMutAct_9fa48("4005") ? ["Stryker was here"] : (stryCov_9fa48("4005"), []);
        return stryMutAct_9fa48("4006") ? [] : (stryCov_9fa48("4006"), [stryMutAct_9fa48("4007") ? {} : (stryCov_9fa48("4007"), {
          type: stryMutAct_9fa48("4008") ? "" : (stryCov_9fa48("4008"), 'LeaderboardSliceBuilt'),
          data: stryMutAct_9fa48("4009") ? {} : (stryCov_9fa48("4009"), {
            change,
            generation: present.generation,
            ...slice
          })
        })]);
      }
    };
  }
}

/** Nothing where that is known already, or where slices are built by now. */
export function tellFolded(change: string, told: FoldedSoFar): Decision<Generations | null, RebuildEvent> {
  if (stryMutAct_9fa48("4010")) {
    {}
  } else {
    stryCov_9fa48("4010");
    return state => {
      if (stryMutAct_9fa48("4011")) {
        {}
      } else {
        stryCov_9fa48("4011");
        const present = running(state, change);
        if (stryMutAct_9fa48("4014") ? (present === null || present.upTo !== null) && told.events <= (present.folded ?? 0) : stryMutAct_9fa48("4013") ? false : stryMutAct_9fa48("4012") ? true : (stryCov_9fa48("4012", "4013", "4014"), (stryMutAct_9fa48("4016") ? present === null && present.upTo !== null : stryMutAct_9fa48("4015") ? false : (stryCov_9fa48("4015", "4016"), (stryMutAct_9fa48("4018") ? present !== null : stryMutAct_9fa48("4017") ? false : (stryCov_9fa48("4017", "4018"), present === null)) || (stryMutAct_9fa48("4020") ? present.upTo === null : stryMutAct_9fa48("4019") ? false : (stryCov_9fa48("4019", "4020"), present.upTo !== null)))) || (stryMutAct_9fa48("4023") ? told.events > (present.folded ?? 0) : stryMutAct_9fa48("4022") ? told.events < (present.folded ?? 0) : stryMutAct_9fa48("4021") ? false : (stryCov_9fa48("4021", "4022", "4023"), told.events <= (stryMutAct_9fa48("4024") ? present.folded && 0 : (stryCov_9fa48("4024"), present.folded ?? 0)))))) return stryMutAct_9fa48("4025") ? ["Stryker was here"] : (stryCov_9fa48("4025"), []);
        return stryMutAct_9fa48("4026") ? [] : (stryCov_9fa48("4026"), [stryMutAct_9fa48("4027") ? {} : (stryCov_9fa48("4027"), {
          type: stryMutAct_9fa48("4028") ? "" : (stryCov_9fa48("4028"), 'LeaderboardHistoryFolded'),
          data: stryMutAct_9fa48("4029") ? {} : (stryCov_9fa48("4029"), {
            change,
            generation: present.generation,
            ...told
          })
        })]);
      }
    };
  }
}

/** `total` is how many events there are in all, where no slice told of that. */
export function finishRebuild(change: string, after: EventReference | null, total?: number): Decision<Generations | null, RebuildEvent> {
  if (stryMutAct_9fa48("4030")) {
    {}
  } else {
    stryCov_9fa48("4030");
    return state => {
      if (stryMutAct_9fa48("4031")) {
        {}
      } else {
        stryCov_9fa48("4031");
        const present = running(state, change);
        if (stryMutAct_9fa48("4034") ? (state === null || present === null) && !sameReference(present.upTo, after) : stryMutAct_9fa48("4033") ? false : stryMutAct_9fa48("4032") ? true : (stryCov_9fa48("4032", "4033", "4034"), (stryMutAct_9fa48("4036") ? state === null && present === null : stryMutAct_9fa48("4035") ? false : (stryCov_9fa48("4035", "4036"), (stryMutAct_9fa48("4038") ? state !== null : stryMutAct_9fa48("4037") ? false : (stryCov_9fa48("4037", "4038"), state === null)) || (stryMutAct_9fa48("4040") ? present !== null : stryMutAct_9fa48("4039") ? false : (stryCov_9fa48("4039", "4040"), present === null)))) || (stryMutAct_9fa48("4041") ? sameReference(present.upTo, after) : (stryCov_9fa48("4041"), !sameReference(present.upTo, after))))) return stryMutAct_9fa48("4042") ? ["Stryker was here"] : (stryCov_9fa48("4042"), []);
        const {
          generation,
          rules
        } = present;
        const data = stryMutAct_9fa48("4043") ? {} : (stryCov_9fa48("4043"), {
          change,
          generation,
          rules,
          after,
          replaces: state.generation
        });
        return stryMutAct_9fa48("4044") ? [] : (stryCov_9fa48("4044"), [stryMutAct_9fa48("4045") ? {} : (stryCov_9fa48("4045"), {
          type: stryMutAct_9fa48("4046") ? "" : (stryCov_9fa48("4046"), 'LeaderboardRulesChanged'),
          data: (stryMutAct_9fa48("4049") ? total !== undefined : stryMutAct_9fa48("4048") ? false : stryMutAct_9fa48("4047") ? true : (stryCov_9fa48("4047", "4048", "4049"), total === undefined)) ? data : stryMutAct_9fa48("4050") ? {} : (stryCov_9fa48("4050"), {
            ...data,
            total
          })
        })]);
      }
    };
  }
}

/** Nothing where it is over already. 404 `rebuild_not_found` where there never was one. */
export const cancelRebuild: Decision<Generations | null, RebuildEvent> = state => {
  if (stryMutAct_9fa48("4051")) {
    {}
  } else {
    stryCov_9fa48("4051");
    if (stryMutAct_9fa48("4054") ? existing(state).rebuild !== null : stryMutAct_9fa48("4053") ? false : stryMutAct_9fa48("4052") ? true : (stryCov_9fa48("4052", "4053", "4054"), existing(state).rebuild === null)) {
      if (stryMutAct_9fa48("4055")) {
        {}
      } else {
        stryCov_9fa48("4055");
        throw new Refusal(stryMutAct_9fa48("4056") ? "" : (stryCov_9fa48("4056"), 'not_found'), stryMutAct_9fa48("4057") ? "" : (stryCov_9fa48("4057"), 'rebuild_not_found'), stryMutAct_9fa48("4058") ? "" : (stryCov_9fa48("4058"), 'This leaderboard was never rebuilt.'));
      }
    }
    return endRebuild(state);
  }
};

/** Nothing where none runs. */
export function endRebuild(state: Generations | null): readonly RebuildEvent[] {
  if (stryMutAct_9fa48("4059")) {
    {}
  } else {
    stryCov_9fa48("4059");
    const present = running(state);
    return (stryMutAct_9fa48("4062") ? present !== null : stryMutAct_9fa48("4061") ? false : stryMutAct_9fa48("4060") ? true : (stryCov_9fa48("4060", "4061", "4062"), present === null)) ? stryMutAct_9fa48("4063") ? ["Stryker was here"] : (stryCov_9fa48("4063"), []) : stryMutAct_9fa48("4064") ? [] : (stryCov_9fa48("4064"), [stryMutAct_9fa48("4065") ? {} : (stryCov_9fa48("4065"), {
      type: stryMutAct_9fa48("4066") ? "" : (stryCov_9fa48("4066"), 'LeaderboardRulesCancelled'),
      data: ended(present)
    })]);
  }
}
export function failRebuild(change: string, reason: string): Decision<Generations | null, RebuildEvent> {
  if (stryMutAct_9fa48("4067")) {
    {}
  } else {
    stryCov_9fa48("4067");
    return state => {
      if (stryMutAct_9fa48("4068")) {
        {}
      } else {
        stryCov_9fa48("4068");
        const present = running(state, change);
        return (stryMutAct_9fa48("4071") ? present !== null : stryMutAct_9fa48("4070") ? false : stryMutAct_9fa48("4069") ? true : (stryCov_9fa48("4069", "4070", "4071"), present === null)) ? stryMutAct_9fa48("4072") ? ["Stryker was here"] : (stryCov_9fa48("4072"), []) : stryMutAct_9fa48("4073") ? [] : (stryCov_9fa48("4073"), [stryMutAct_9fa48("4074") ? {} : (stryCov_9fa48("4074"), {
          type: stryMutAct_9fa48("4075") ? "" : (stryCov_9fa48("4075"), 'LeaderboardRulesFailed'),
          data: stryMutAct_9fa48("4076") ? {} : (stryCov_9fa48("4076"), {
            ...ended(present),
            reason
          })
        })]);
      }
    };
  }
}
const ended = stryMutAct_9fa48("4077") ? () => undefined : (stryCov_9fa48("4077"), (() => {
  const ended = ({
    id: change,
    generation,
    upTo
  }: Rebuild) => stryMutAct_9fa48("4078") ? {} : (stryCov_9fa48("4078"), {
    change,
    generation,
    upTo
  });
  return ended;
})());

/** Nothing where that part is removed already. */
export function clearSlice(slice: ClearedSlice): Decision<Generations | null, RebuildEvent> {
  if (stryMutAct_9fa48("4079")) {
    {}
  } else {
    stryCov_9fa48("4079");
    return state => {
      if (stryMutAct_9fa48("4080")) {
        {}
      } else {
        stryCov_9fa48("4080");
        const present = stryMutAct_9fa48("4081") ? state.superseded.find(({
          generation
        }) => generation === slice.generation) : (stryCov_9fa48("4081"), state?.superseded.find(stryMutAct_9fa48("4082") ? () => undefined : (stryCov_9fa48("4082"), ({
          generation
        }) => stryMutAct_9fa48("4085") ? generation !== slice.generation : stryMutAct_9fa48("4084") ? false : stryMutAct_9fa48("4083") ? true : (stryCov_9fa48("4083", "4084", "4085"), generation === slice.generation))));
        if (stryMutAct_9fa48("4088") ? present === undefined && !sameReference(present.upTo, slice.after) : stryMutAct_9fa48("4087") ? false : stryMutAct_9fa48("4086") ? true : (stryCov_9fa48("4086", "4087", "4088"), (stryMutAct_9fa48("4090") ? present !== undefined : stryMutAct_9fa48("4089") ? false : (stryCov_9fa48("4089", "4090"), present === undefined)) || (stryMutAct_9fa48("4091") ? sameReference(present.upTo, slice.after) : (stryCov_9fa48("4091"), !sameReference(present.upTo, slice.after))))) return stryMutAct_9fa48("4092") ? ["Stryker was here"] : (stryCov_9fa48("4092"), []);
        return stryMutAct_9fa48("4093") ? [] : (stryCov_9fa48("4093"), [stryMutAct_9fa48("4094") ? {} : (stryCov_9fa48("4094"), {
          type: stryMutAct_9fa48("4095") ? "" : (stryCov_9fa48("4095"), 'LeaderboardSliceCleared'),
          data: slice
        })]);
      }
    };
  }
}