// A folder: one stream per path, so that no two have one path. It has an id, by which what is inside names it: what
// hangs under an id that is no longer there does not exist, so that one event takes a whole tree away.
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
import type { Aggregate, Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import { type FolderRules, nothingThere } from './rules.ts';
import { streamName } from './streams.ts';

/** `key` stands for the path: a keyed hash of it, or `root`. */
export const folderStream = stryMutAct_9fa48("2918") ? () => undefined : (stryCov_9fa48("2918"), (() => {
  const folderStream = (bucket: string, key: string): string => streamName(stryMutAct_9fa48("2919") ? "" : (stryCov_9fa48("2919"), 'folder-'), bucket, key);
  return folderStream;
})());
export type FolderCreatedData = {
  readonly id: string;
  /** Sealed in the log where a player made the folder; null once that player is deleted. */
  readonly path: string | null;
  /** Id and key of the folder that holds it. */
  readonly parent: string;
  readonly parentKey: string;
  /** Null for the tenant. */
  readonly creator: string | null;
  readonly rules: FolderRules;
};
export type FolderRulesSetData = {
  readonly folder: string;
  readonly rules: FolderRules;
  /** What folders made inside begin with; null: a copy of `rules`. */
  readonly childRules: FolderRules | null;
  /** Every folder that is below by now gets the child rules for its own. */
  readonly applyToExisting: boolean;
};

/** Its creator was deleted, and it holds what others made: it keeps its path, in clear, and has no creator any more. */
export type FolderReleasedData = {
  readonly id: string;
  readonly path: string;
};
export type FolderEvent = {
  readonly type: 'FolderCreated';
  readonly data: FolderCreatedData;
} | {
  readonly type: 'FolderRulesSet';
  readonly data: FolderRulesSetData;
} | {
  readonly type: 'FolderReleased';
  readonly data: FolderReleasedData;
} | {
  readonly type: 'FolderDeleted';
  readonly data: {
    readonly id: string;
    readonly parent: string;
    readonly parentKey: string;
  };
};

/** What stands at a path. Whether its parent does is not known here. */
export interface Folder {
  readonly id: string;
  /** Null for the root. */
  readonly parent: string | null;
  readonly parentKey: string | null;
  readonly creator: string | null;
  readonly created: string;
  readonly rules: FolderRules;
  readonly childRules: FolderRules | null;
  /** Of the last event that changed it. */
  readonly revision: number;
}

/** The root has no FolderCreated: it is there with its bucket, whose id it has. */
export const folder: Aggregate<Folder | null, FolderEvent> = stryMutAct_9fa48("2920") ? {} : (stryCov_9fa48("2920"), {
  name: stryMutAct_9fa48("2921") ? "" : (stryCov_9fa48("2921"), 'folder'),
  initial: null,
  evolve(state, event, moment) {
    if (stryMutAct_9fa48("2922")) {
      {}
    } else {
      stryCov_9fa48("2922");
      const {
        revision
      } = moment;
      switch (event.type) {
        case stryMutAct_9fa48("2924") ? "" : (stryCov_9fa48("2924"), 'FolderCreated'):
          if (stryMutAct_9fa48("2923")) {} else {
            stryCov_9fa48("2923");
            {
              if (stryMutAct_9fa48("2925")) {
                {}
              } else {
                stryCov_9fa48("2925");
                const {
                  id,
                  parent,
                  parentKey,
                  creator,
                  rules
                } = event.data;
                return stryMutAct_9fa48("2926") ? {} : (stryCov_9fa48("2926"), {
                  id,
                  parent,
                  parentKey,
                  creator,
                  created: moment.time,
                  rules,
                  childRules: null,
                  revision
                });
              }
            }
          }
        case stryMutAct_9fa48("2928") ? "" : (stryCov_9fa48("2928"), 'FolderRulesSet'):
          if (stryMutAct_9fa48("2927")) {} else {
            stryCov_9fa48("2927");
            {
              if (stryMutAct_9fa48("2929")) {
                {}
              } else {
                stryCov_9fa48("2929");
                const {
                  folder: id,
                  rules,
                  childRules
                } = event.data;
                const present = stryMutAct_9fa48("2930") ? state && {
                  ...ROOT,
                  id,
                  created: moment.time
                } : (stryCov_9fa48("2930"), state ?? (stryMutAct_9fa48("2931") ? {} : (stryCov_9fa48("2931"), {
                  ...ROOT,
                  id,
                  created: moment.time
                })));
                return stryMutAct_9fa48("2932") ? {} : (stryCov_9fa48("2932"), {
                  ...present,
                  rules,
                  childRules,
                  revision
                });
              }
            }
          }
        case stryMutAct_9fa48("2934") ? "" : (stryCov_9fa48("2934"), 'FolderReleased'):
          if (stryMutAct_9fa48("2933")) {} else {
            stryCov_9fa48("2933");
            return (stryMutAct_9fa48("2937") ? state !== null : stryMutAct_9fa48("2936") ? false : stryMutAct_9fa48("2935") ? true : (stryCov_9fa48("2935", "2936", "2937"), state === null)) ? null : stryMutAct_9fa48("2938") ? {} : (stryCov_9fa48("2938"), {
              ...state,
              creator: null,
              revision
            });
          }
        case stryMutAct_9fa48("2940") ? "" : (stryCov_9fa48("2940"), 'FolderDeleted'):
          if (stryMutAct_9fa48("2939")) {} else {
            stryCov_9fa48("2939");
            return null;
          }
        default:
          if (stryMutAct_9fa48("2941")) {} else {
            stryCov_9fa48("2941");
            return state;
          }
      }
    }
  }
});
const ROOT = stryMutAct_9fa48("2942") ? {} : (stryCov_9fa48("2942"), {
  parent: null,
  parentKey: null,
  creator: null
});

/**
 * 409 `already_exists` where a folder of the same parent stands at the path; one of a parent that is gone is not there.
 */
export function createFolder(data: FolderCreatedData): Decision<Folder | null, FolderEvent> {
  if (stryMutAct_9fa48("2943")) {
    {}
  } else {
    stryCov_9fa48("2943");
    return state => {
      if (stryMutAct_9fa48("2944")) {
        {}
      } else {
        stryCov_9fa48("2944");
        if (stryMutAct_9fa48("2947") ? state !== null || state.parent === data.parent : stryMutAct_9fa48("2946") ? false : stryMutAct_9fa48("2945") ? true : (stryCov_9fa48("2945", "2946", "2947"), (stryMutAct_9fa48("2949") ? state === null : stryMutAct_9fa48("2948") ? true : (stryCov_9fa48("2948", "2949"), state !== null)) && (stryMutAct_9fa48("2951") ? state.parent !== data.parent : stryMutAct_9fa48("2950") ? true : (stryCov_9fa48("2950", "2951"), state.parent === data.parent)))) throw alreadyExists();
        return stryMutAct_9fa48("2952") ? [] : (stryCov_9fa48("2952"), [stryMutAct_9fa48("2953") ? {} : (stryCov_9fa48("2953"), {
          type: stryMutAct_9fa48("2954") ? "" : (stryCov_9fa48("2954"), 'FolderCreated'),
          data
        })]);
      }
    };
  }
}

/**
 * `expect` refuses where the folder is not as the caller last saw it, by the revision that changed it last (-1: a root
 * whose rules were never set). Recorded
 * also where the folder has these rules already: one above may have given it others since.
 */
export function setRules(data: FolderRulesSetData, isRoot: boolean, expect: (revision: number) => void): Decision<Folder | null, FolderEvent> {
  if (stryMutAct_9fa48("2955")) {
    {}
  } else {
    stryCov_9fa48("2955");
    return state => {
      if (stryMutAct_9fa48("2956")) {
        {}
      } else {
        stryCov_9fa48("2956");
        if (stryMutAct_9fa48("2958") ? false : stryMutAct_9fa48("2957") ? true : (stryCov_9fa48("2957", "2958"), (stryMutAct_9fa48("2961") ? state !== null : stryMutAct_9fa48("2960") ? false : stryMutAct_9fa48("2959") ? true : (stryCov_9fa48("2959", "2960", "2961"), state === null)) ? stryMutAct_9fa48("2962") ? isRoot : (stryCov_9fa48("2962"), !isRoot) : stryMutAct_9fa48("2965") ? state.id === data.folder : stryMutAct_9fa48("2964") ? false : stryMutAct_9fa48("2963") ? true : (stryCov_9fa48("2963", "2964", "2965"), state.id !== data.folder))) throw nothingThere();
        expect(stryMutAct_9fa48("2966") ? state?.revision && -1 : (stryCov_9fa48("2966"), (stryMutAct_9fa48("2967") ? state.revision : (stryCov_9fa48("2967"), state?.revision)) ?? (stryMutAct_9fa48("2968") ? +1 : (stryCov_9fa48("2968"), -1))));
        return stryMutAct_9fa48("2969") ? [] : (stryCov_9fa48("2969"), [stryMutAct_9fa48("2970") ? {} : (stryCov_9fa48("2970"), {
          type: stryMutAct_9fa48("2971") ? "" : (stryCov_9fa48("2971"), 'FolderRulesSet'),
          data
        })]);
      }
    };
  }
}

/** 404 where another folder, or none, stands at the path. */
export function deleteFolder(id: string): Decision<Folder | null, FolderEvent> {
  if (stryMutAct_9fa48("2972")) {
    {}
  } else {
    stryCov_9fa48("2972");
    return state => {
      if (stryMutAct_9fa48("2973")) {
        {}
      } else {
        stryCov_9fa48("2973");
        if (stryMutAct_9fa48("2976") ? (state === null || state.id !== id) && state.parent === null : stryMutAct_9fa48("2975") ? false : stryMutAct_9fa48("2974") ? true : (stryCov_9fa48("2974", "2975", "2976"), (stryMutAct_9fa48("2978") ? state === null && state.id !== id : stryMutAct_9fa48("2977") ? false : (stryCov_9fa48("2977", "2978"), (stryMutAct_9fa48("2980") ? state !== null : stryMutAct_9fa48("2979") ? false : (stryCov_9fa48("2979", "2980"), state === null)) || (stryMutAct_9fa48("2982") ? state.id === id : stryMutAct_9fa48("2981") ? false : (stryCov_9fa48("2981", "2982"), state.id !== id)))) || (stryMutAct_9fa48("2984") ? state.parent !== null : stryMutAct_9fa48("2983") ? false : (stryCov_9fa48("2983", "2984"), state.parent === null)))) throw nothingThere();
        const {
          parent,
          parentKey
        } = state;
        return stryMutAct_9fa48("2985") ? [] : (stryCov_9fa48("2985"), [stryMutAct_9fa48("2986") ? {} : (stryCov_9fa48("2986"), {
          type: stryMutAct_9fa48("2987") ? "" : (stryCov_9fa48("2987"), 'FolderDeleted'),
          data: stryMutAct_9fa48("2988") ? {} : (stryCov_9fa48("2988"), {
            id,
            parent,
            parentKey: stryMutAct_9fa48("2989") ? parentKey && '' : (stryCov_9fa48("2989"), parentKey ?? (stryMutAct_9fa48("2990") ? "Stryker was here!" : (stryCov_9fa48("2990"), '')))
          })
        })]);
      }
    };
  }
}

/** Records nothing if another folder, or none, is at the path, or if it was released before. */
export function releaseFolder(data: FolderReleasedData): Decision<Folder | null, FolderEvent> {
  if (stryMutAct_9fa48("2991")) {
    {}
  } else {
    stryCov_9fa48("2991");
    return stryMutAct_9fa48("2992") ? () => undefined : (stryCov_9fa48("2992"), state => (stryMutAct_9fa48("2995") ? state?.id === data.id || state.creator !== null : stryMutAct_9fa48("2994") ? false : stryMutAct_9fa48("2993") ? true : (stryCov_9fa48("2993", "2994", "2995"), (stryMutAct_9fa48("2997") ? state?.id !== data.id : stryMutAct_9fa48("2996") ? true : (stryCov_9fa48("2996", "2997"), (stryMutAct_9fa48("2998") ? state.id : (stryCov_9fa48("2998"), state?.id)) === data.id)) && (stryMutAct_9fa48("3000") ? state.creator === null : stryMutAct_9fa48("2999") ? true : (stryCov_9fa48("2999", "3000"), state.creator !== null)))) ? stryMutAct_9fa48("3001") ? [] : (stryCov_9fa48("3001"), [stryMutAct_9fa48("3002") ? {} : (stryCov_9fa48("3002"), {
      type: stryMutAct_9fa48("3003") ? "" : (stryCov_9fa48("3003"), 'FolderReleased'),
      data
    })]) : stryMutAct_9fa48("3004") ? ["Stryker was here"] : (stryCov_9fa48("3004"), []));
  }
}
export function alreadyExists(): Refusal {
  if (stryMutAct_9fa48("3005")) {
    {}
  } else {
    stryCov_9fa48("3005");
    return new Refusal(stryMutAct_9fa48("3006") ? "" : (stryCov_9fa48("3006"), 'conflict'), stryMutAct_9fa48("3007") ? "" : (stryCov_9fa48("3007"), 'already_exists'), stryMutAct_9fa48("3008") ? "" : (stryCov_9fa48("3008"), 'A folder is at this path already.'));
  }
}