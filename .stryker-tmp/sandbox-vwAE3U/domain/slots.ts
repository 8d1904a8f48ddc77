// How many leaderboards, keys and buckets a game has: a slot is taken for each before it is made, and released once it is
// archived, revoked or deleted. So the limit holds exactly, however many nodes make them at once.
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
import { Set as ImmutableSet } from 'immutable';
import type { Aggregate, Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import type { JsonObject } from './event.ts';
import { unsafeCast } from './event.ts';
import { idIn, isNamed, streamName } from './streams.ts';
export const slotsStream = stryMutAct_9fa48("4515") ? () => undefined : (stryCov_9fa48("4515"), (() => {
  const slotsStream = (game: string): string => streamName(stryMutAct_9fa48("4516") ? "" : (stryCov_9fa48("4516"), 'slots-'), game);
  return slotsStream;
})());

/** The game that an event belongs to. Slots are not in the history of their game: only their stream names it. */
export function gameOf(stream: string, game: string | null): string | null {
  if (stryMutAct_9fa48("4517")) {
    {}
  } else {
    stryCov_9fa48("4517");
    return (stryMutAct_9fa48("4520") ? game === null || isNamed(stream, 'slots-') : stryMutAct_9fa48("4519") ? false : stryMutAct_9fa48("4518") ? true : (stryCov_9fa48("4518", "4519", "4520"), (stryMutAct_9fa48("4522") ? game !== null : stryMutAct_9fa48("4521") ? true : (stryCov_9fa48("4521", "4522"), game === null)) && isNamed(stream, stryMutAct_9fa48("4523") ? "" : (stryCov_9fa48("4523"), 'slots-')))) ? idIn(stream) : game;
  }
}
export type SlotKind = 'leaderboards' | 'keys' | 'buckets';

/** Those that are archived, revoked or deleted do not count. */
export const SLOTS_MAX: Readonly<Record<SlotKind, number>> = stryMutAct_9fa48("4524") ? {} : (stryCov_9fa48("4524"), {
  leaderboards: 10_000,
  keys: 1_000,
  buckets: 1_000
});
const ENDINGS: Readonly<Record<SlotKind, string>> = stryMutAct_9fa48("4525") ? {} : (stryCov_9fa48("4525"), {
  leaderboards: stryMutAct_9fa48("4526") ? "" : (stryCov_9fa48("4526"), 'Archive one that is not needed.'),
  keys: stryMutAct_9fa48("4527") ? "" : (stryCov_9fa48("4527"), 'Revoke one that is not needed.'),
  buckets: stryMutAct_9fa48("4528") ? "" : (stryCov_9fa48("4528"), 'Delete one that is not needed.')
});
export interface Slot {
  readonly kind: SlotKind;
  /** The leaderboard's, key's or bucket's. */
  readonly id: string;
}
export type SlotEvent = /** What was there before slots were taken: of games that an older version made. */
{
  readonly type: 'SlotsCounted';
  readonly data: {
    readonly kind: SlotKind;
    readonly count: number;
  };
} | {
  readonly type: 'SlotTaken';
  readonly data: Slot;
} | {
  readonly type: 'SlotReleased';
  readonly data: Slot;
};

/** Of one kind. */
interface Taken {
  /** Of those that were there before, how many still are; null before they were counted. */
  readonly others: number | null;
  readonly ids: ImmutableSet<string>;
}
type Slots = Readonly<Record<SlotKind, Taken>>;
const NONE: Taken = stryMutAct_9fa48("4529") ? {} : (stryCov_9fa48("4529"), {
  others: null,
  ids: ImmutableSet()
});
export const slots: Aggregate<Slots, SlotEvent> = stryMutAct_9fa48("4530") ? {} : (stryCov_9fa48("4530"), {
  name: stryMutAct_9fa48("4531") ? "" : (stryCov_9fa48("4531"), 'slots'),
  initial: stryMutAct_9fa48("4532") ? {} : (stryCov_9fa48("4532"), {
    leaderboards: NONE,
    keys: NONE,
    buckets: NONE
  }),
  evolve(state, event) {
    if (stryMutAct_9fa48("4533")) {
      {}
    } else {
      stryCov_9fa48("4533");
      const {
        kind
      } = event.data;
      const taken = state[kind];
      if (stryMutAct_9fa48("4536") ? taken !== undefined : stryMutAct_9fa48("4535") ? false : stryMutAct_9fa48("4534") ? true : (stryCov_9fa48("4534", "4535", "4536"), taken === undefined)) return state;
      return stryMutAct_9fa48("4537") ? {} : (stryCov_9fa48("4537"), {
        ...state,
        [kind]: after(taken, event)
      });
    }
  },
  snapshot: stryMutAct_9fa48("4538") ? {} : (stryCov_9fa48("4538"), {
    form: 1,
    size: stryMutAct_9fa48("4539") ? () => undefined : (stryCov_9fa48("4539"), ({
      leaderboards,
      keys,
      buckets
    }) => stryMutAct_9fa48("4540") ? leaderboards.ids.size + keys.ids.size - buckets.ids.size : (stryCov_9fa48("4540"), (stryMutAct_9fa48("4541") ? leaderboards.ids.size - keys.ids.size : (stryCov_9fa48("4541"), leaderboards.ids.size + keys.ids.size)) + buckets.ids.size)),
    write: stryMutAct_9fa48("4542") ? () => undefined : (stryCov_9fa48("4542"), ({
      leaderboards,
      keys,
      buckets
    }) => stryMutAct_9fa48("4543") ? {} : (stryCov_9fa48("4543"), {
      leaderboards: written(leaderboards),
      keys: written(keys),
      buckets: written(buckets)
    })),
    read: stryMutAct_9fa48("4544") ? () => undefined : (stryCov_9fa48("4544"), ({
      leaderboards,
      keys,
      buckets
    }) => stryMutAct_9fa48("4545") ? {} : (stryCov_9fa48("4545"), {
      leaderboards: read(unsafeCast<Written>(leaderboards)),
      keys: read(unsafeCast<Written>(keys)),
      buckets: read(unsafeCast<Written>(buckets))
    }))
  })
});
function after(taken: Taken, event: SlotEvent): Taken {
  if (stryMutAct_9fa48("4546")) {
    {}
  } else {
    stryCov_9fa48("4546");
    switch (event.type) {
      case stryMutAct_9fa48("4548") ? "" : (stryCov_9fa48("4548"), 'SlotsCounted'):
        if (stryMutAct_9fa48("4547")) {} else {
          stryCov_9fa48("4547");
          return stryMutAct_9fa48("4549") ? {} : (stryCov_9fa48("4549"), {
            ...taken,
            others: event.data.count
          });
        }
      case stryMutAct_9fa48("4551") ? "" : (stryCov_9fa48("4551"), 'SlotTaken'):
        if (stryMutAct_9fa48("4550")) {} else {
          stryCov_9fa48("4550");
          return stryMutAct_9fa48("4552") ? {} : (stryCov_9fa48("4552"), {
            ...taken,
            ids: taken.ids.add(event.data.id)
          });
        }
      case stryMutAct_9fa48("4554") ? "" : (stryCov_9fa48("4554"), 'SlotReleased'):
        if (stryMutAct_9fa48("4553")) {} else {
          stryCov_9fa48("4553");
          {
            if (stryMutAct_9fa48("4555")) {
              {}
            } else {
              stryCov_9fa48("4555");
              if (stryMutAct_9fa48("4557") ? false : stryMutAct_9fa48("4556") ? true : (stryCov_9fa48("4556", "4557"), taken.ids.has(event.data.id))) return stryMutAct_9fa48("4558") ? {} : (stryCov_9fa48("4558"), {
                ...taken,
                ids: taken.ids.delete(event.data.id)
              });
              return stryMutAct_9fa48("4559") ? {} : (stryCov_9fa48("4559"), {
                ...taken,
                others: stryMutAct_9fa48("4560") ? Math.min(0, (taken.others ?? 0) - 1) : (stryCov_9fa48("4560"), Math.max(0, stryMutAct_9fa48("4561") ? (taken.others ?? 0) + 1 : (stryCov_9fa48("4561"), (stryMutAct_9fa48("4562") ? taken.others && 0 : (stryCov_9fa48("4562"), taken.others ?? 0)) - 1)))
              });
            }
          }
        }
      default:
        if (stryMutAct_9fa48("4563")) {} else {
          stryCov_9fa48("4563");
          return taken;
        }
    }
  }
}
interface Written {
  readonly others: number | null;
  readonly ids: readonly string[];
}
const written = stryMutAct_9fa48("4564") ? () => undefined : (stryCov_9fa48("4564"), (() => {
  const written = ({
    others,
    ids
  }: Taken): JsonObject => stryMutAct_9fa48("4565") ? {} : (stryCov_9fa48("4565"), {
    others,
    ids: stryMutAct_9fa48("4566") ? [] : (stryCov_9fa48("4566"), [...ids])
  });
  return written;
})());
const read = stryMutAct_9fa48("4567") ? () => undefined : (stryCov_9fa48("4567"), (() => {
  const read = ({
    others,
    ids
  }: Written): Taken => stryMutAct_9fa48("4568") ? {} : (stryCov_9fa48("4568"), {
    others,
    ids: ImmutableSet(ids)
  });
  return read;
})());
export const isCounted = stryMutAct_9fa48("4569") ? () => undefined : (stryCov_9fa48("4569"), (() => {
  const isCounted = (state: Slots, kind: SlotKind): boolean => stryMutAct_9fa48("4572") ? state[kind].others === null : stryMutAct_9fa48("4571") ? false : stryMutAct_9fa48("4570") ? true : (stryCov_9fa48("4570", "4571", "4572"), state[kind].others !== null);
  return isCounted;
})());

/**
 * Takes a slot, once for each id. 422 `too_many_leaderboards`, `too_many_keys`, `too_many_buckets`. `existing`: how many
 * there were when slots were first taken.
 */
export function takeSlot({
  kind,
  id
}: Slot, existing: number): Decision<Slots, SlotEvent> {
  if (stryMutAct_9fa48("4573")) {
    {}
  } else {
    stryCov_9fa48("4573");
    return state => {
      if (stryMutAct_9fa48("4574")) {
        {}
      } else {
        stryCov_9fa48("4574");
        const {
          others,
          ids
        } = state[kind];
        if (stryMutAct_9fa48("4576") ? false : stryMutAct_9fa48("4575") ? true : (stryCov_9fa48("4575", "4576"), ids.has(id))) return stryMutAct_9fa48("4577") ? ["Stryker was here"] : (stryCov_9fa48("4577"), []);
        const max = SLOTS_MAX[kind];
        if (stryMutAct_9fa48("4581") ? (others ?? existing) + ids.size < max : stryMutAct_9fa48("4580") ? (others ?? existing) + ids.size > max : stryMutAct_9fa48("4579") ? false : stryMutAct_9fa48("4578") ? true : (stryCov_9fa48("4578", "4579", "4580", "4581"), (stryMutAct_9fa48("4582") ? (others ?? existing) - ids.size : (stryCov_9fa48("4582"), (stryMutAct_9fa48("4583") ? others && existing : (stryCov_9fa48("4583"), others ?? existing)) + ids.size)) >= max)) {
          if (stryMutAct_9fa48("4584")) {
            {}
          } else {
            stryCov_9fa48("4584");
            const detail = stryMutAct_9fa48("4585") ? `` : (stryCov_9fa48("4585"), `A game may have ${max.toLocaleString(stryMutAct_9fa48("4586") ? "" : (stryCov_9fa48("4586"), 'en'))} ${kind}, and this one has as many. ${ENDINGS[kind]}`);
            throw new Refusal(stryMutAct_9fa48("4587") ? "" : (stryCov_9fa48("4587"), 'unprocessable'), stryMutAct_9fa48("4588") ? `` : (stryCov_9fa48("4588"), `too_many_${kind}`), detail, stryMutAct_9fa48("4589") ? {} : (stryCov_9fa48("4589"), {
              limit: max
            }));
          }
        }
        const counted: SlotEvent = stryMutAct_9fa48("4590") ? {} : (stryCov_9fa48("4590"), {
          type: stryMutAct_9fa48("4591") ? "" : (stryCov_9fa48("4591"), 'SlotsCounted'),
          data: stryMutAct_9fa48("4592") ? {} : (stryCov_9fa48("4592"), {
            kind,
            count: existing
          })
        });
        const taken: SlotEvent = stryMutAct_9fa48("4593") ? {} : (stryCov_9fa48("4593"), {
          type: stryMutAct_9fa48("4594") ? "" : (stryCov_9fa48("4594"), 'SlotTaken'),
          data: stryMutAct_9fa48("4595") ? {} : (stryCov_9fa48("4595"), {
            kind,
            id
          })
        });
        return (stryMutAct_9fa48("4598") ? others !== null : stryMutAct_9fa48("4597") ? false : stryMutAct_9fa48("4596") ? true : (stryCov_9fa48("4596", "4597", "4598"), others === null)) ? stryMutAct_9fa48("4599") ? [] : (stryCov_9fa48("4599"), [counted, taken]) : stryMutAct_9fa48("4600") ? [] : (stryCov_9fa48("4600"), [taken]);
      }
    };
  }
}

/** Releases a slot that was taken; where `isOther`, also that of one which was there before slots were taken. */
export function releaseSlot({
  kind,
  id
}: Slot, isOther: boolean): Decision<Slots, SlotEvent> {
  if (stryMutAct_9fa48("4601")) {
    {}
  } else {
    stryCov_9fa48("4601");
    return state => {
      if (stryMutAct_9fa48("4602")) {
        {}
      } else {
        stryCov_9fa48("4602");
        const {
          others,
          ids
        } = state[kind];
        const isHeld = stryMutAct_9fa48("4605") ? ids.has(id) && isOther && others !== null && others > 0 : stryMutAct_9fa48("4604") ? false : stryMutAct_9fa48("4603") ? true : (stryCov_9fa48("4603", "4604", "4605"), ids.has(id) || (stryMutAct_9fa48("4607") ? isOther && others !== null || others > 0 : stryMutAct_9fa48("4606") ? false : (stryCov_9fa48("4606", "4607"), (stryMutAct_9fa48("4609") ? isOther || others !== null : stryMutAct_9fa48("4608") ? true : (stryCov_9fa48("4608", "4609"), isOther && (stryMutAct_9fa48("4611") ? others === null : stryMutAct_9fa48("4610") ? true : (stryCov_9fa48("4610", "4611"), others !== null)))) && (stryMutAct_9fa48("4614") ? others <= 0 : stryMutAct_9fa48("4613") ? others >= 0 : stryMutAct_9fa48("4612") ? true : (stryCov_9fa48("4612", "4613", "4614"), others > 0)))));
        return isHeld ? stryMutAct_9fa48("4615") ? [] : (stryCov_9fa48("4615"), [stryMutAct_9fa48("4616") ? {} : (stryCov_9fa48("4616"), {
          type: stryMutAct_9fa48("4617") ? "" : (stryCov_9fa48("4617"), 'SlotReleased'),
          data: stryMutAct_9fa48("4618") ? {} : (stryCov_9fa48("4618"), {
            kind,
            id
          })
        })]) : stryMutAct_9fa48("4619") ? ["Stryker was here"] : (stryCov_9fa48("4619"), []);
      }
    };
  }
}