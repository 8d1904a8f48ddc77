// An API key: which game it is of, what kind it is, how it proves itself, and what it may do. Its secret is in the vault.
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
import type { MayGrant } from './permissions.ts';
import { streamName } from './streams.ts';
export const keyStream = stryMutAct_9fa48("3183") ? () => undefined : (stryCov_9fa48("3183"), (() => {
  const keyStream = (prefix: string): string => streamName(stryMutAct_9fa48("3184") ? "" : (stryCov_9fa48("3184"), 'key-'), prefix);
  return keyStream;
})());
export type KeyKind = 'server' | 'client';
export type KeyAlgorithm = 'hmac-sha256' | 'ed25519';
export interface KeyIssuedData {
  /** Null for the operator's key. */
  readonly game: string | null;
  readonly name: string;
  readonly kind: KeyKind;
  readonly algorithm: KeyAlgorithm;
  readonly permissions: readonly string[];
  /** Ed25519 only: 32 bytes, base64url. */
  readonly publicKey: string | null;
}
export type KeyEvent = {
  readonly type: 'KeyIssued';
  readonly data: KeyIssuedData;
} | {
  readonly type: 'KeyPermissionsChanged';
  readonly data: {
    readonly permissions: readonly string[];
  };
} | {
  readonly type: 'KeyRevoked';
  readonly data: Readonly<Record<string, never>>;
};
export interface Key extends KeyIssuedData {
  readonly created: string;
  readonly revoked: boolean;
}
export const key: Aggregate<Key | null, KeyEvent> = stryMutAct_9fa48("3185") ? {} : (stryCov_9fa48("3185"), {
  name: stryMutAct_9fa48("3186") ? "" : (stryCov_9fa48("3186"), 'key'),
  initial: null,
  evolve(state, event, moment) {
    if (stryMutAct_9fa48("3187")) {
      {}
    } else {
      stryCov_9fa48("3187");
      if (stryMutAct_9fa48("3190") ? event.type !== 'KeyIssued' : stryMutAct_9fa48("3189") ? false : stryMutAct_9fa48("3188") ? true : (stryCov_9fa48("3188", "3189", "3190"), event.type === (stryMutAct_9fa48("3191") ? "" : (stryCov_9fa48("3191"), 'KeyIssued')))) return stryMutAct_9fa48("3192") ? {} : (stryCov_9fa48("3192"), {
        ...event.data,
        created: moment.time,
        revoked: stryMutAct_9fa48("3193") ? true : (stryCov_9fa48("3193"), false)
      });
      if (stryMutAct_9fa48("3196") ? state !== null : stryMutAct_9fa48("3195") ? false : stryMutAct_9fa48("3194") ? true : (stryCov_9fa48("3194", "3195", "3196"), state === null)) return null;
      switch (event.type) {
        case stryMutAct_9fa48("3198") ? "" : (stryCov_9fa48("3198"), 'KeyPermissionsChanged'):
          if (stryMutAct_9fa48("3197")) {} else {
            stryCov_9fa48("3197");
            return stryMutAct_9fa48("3199") ? {} : (stryCov_9fa48("3199"), {
              ...state,
              permissions: event.data.permissions
            });
          }
        case stryMutAct_9fa48("3201") ? "" : (stryCov_9fa48("3201"), 'KeyRevoked'):
          if (stryMutAct_9fa48("3200")) {} else {
            stryCov_9fa48("3200");
            return stryMutAct_9fa48("3202") ? {} : (stryCov_9fa48("3202"), {
              ...state,
              revoked: stryMutAct_9fa48("3203") ? false : (stryCov_9fa48("3203"), true)
            });
          }
        default:
          if (stryMutAct_9fa48("3204")) {} else {
            stryCov_9fa48("3204");
            return state;
          }
      }
    }
  }
});
export function issueKey(data: KeyIssuedData): Decision<Key | null, KeyEvent> {
  if (stryMutAct_9fa48("3205")) {
    {}
  } else {
    stryCov_9fa48("3205");
    return stryMutAct_9fa48("3206") ? () => undefined : (stryCov_9fa48("3206"), state => (stryMutAct_9fa48("3209") ? state !== null : stryMutAct_9fa48("3208") ? false : stryMutAct_9fa48("3207") ? true : (stryCov_9fa48("3207", "3208", "3209"), state === null)) ? stryMutAct_9fa48("3210") ? [] : (stryCov_9fa48("3210"), [stryMutAct_9fa48("3211") ? {} : (stryCov_9fa48("3211"), {
      type: stryMutAct_9fa48("3212") ? "" : (stryCov_9fa48("3212"), 'KeyIssued'),
      data
    })]) : stryMutAct_9fa48("3213") ? ["Stryker was here"] : (stryCov_9fa48("3213"), []));
  }
}

/** A revoked key's cannot be changed: 409 `key_revoked`. `mayGrant` gets those that the key does not hold yet. */
export function changePermissions(permissions: readonly string[], mayGrant: MayGrant): Decision<Key | null, KeyEvent> {
  if (stryMutAct_9fa48("3214")) {
    {}
  } else {
    stryCov_9fa48("3214");
    return state => {
      if (stryMutAct_9fa48("3215")) {
        {}
      } else {
        stryCov_9fa48("3215");
        const present = existing(state);
        if (stryMutAct_9fa48("3217") ? false : stryMutAct_9fa48("3216") ? true : (stryCov_9fa48("3216", "3217"), present.revoked)) throw new Refusal(stryMutAct_9fa48("3218") ? "" : (stryCov_9fa48("3218"), 'conflict'), stryMutAct_9fa48("3219") ? "" : (stryCov_9fa48("3219"), 'key_revoked'), stryMutAct_9fa48("3220") ? "" : (stryCov_9fa48("3220"), 'This key is revoked. Issue another one.'));
        mayGrant(stryMutAct_9fa48("3221") ? permissions : (stryCov_9fa48("3221"), permissions.filter(stryMutAct_9fa48("3222") ? () => undefined : (stryCov_9fa48("3222"), permission => stryMutAct_9fa48("3223") ? present.permissions.includes(permission) : (stryCov_9fa48("3223"), !present.permissions.includes(permission))))));
        const same = stryMutAct_9fa48("3226") ? JSON.stringify(present.permissions) !== JSON.stringify(permissions) : stryMutAct_9fa48("3225") ? false : stryMutAct_9fa48("3224") ? true : (stryCov_9fa48("3224", "3225", "3226"), JSON.stringify(present.permissions) === JSON.stringify(permissions));
        return same ? stryMutAct_9fa48("3227") ? ["Stryker was here"] : (stryCov_9fa48("3227"), []) : stryMutAct_9fa48("3228") ? [] : (stryCov_9fa48("3228"), [stryMutAct_9fa48("3229") ? {} : (stryCov_9fa48("3229"), {
          type: stryMutAct_9fa48("3230") ? "" : (stryCov_9fa48("3230"), 'KeyPermissionsChanged'),
          data: stryMutAct_9fa48("3231") ? {} : (stryCov_9fa48("3231"), {
            permissions
          })
        })]);
      }
    };
  }
}
export const revokeKey: Decision<Key | null, KeyEvent> = stryMutAct_9fa48("3232") ? () => undefined : (stryCov_9fa48("3232"), (() => {
  const revokeKey: Decision<Key | null, KeyEvent> = state => existing(state).revoked ? stryMutAct_9fa48("3233") ? ["Stryker was here"] : (stryCov_9fa48("3233"), []) : stryMutAct_9fa48("3234") ? [] : (stryCov_9fa48("3234"), [stryMutAct_9fa48("3235") ? {} : (stryCov_9fa48("3235"), {
    type: stryMutAct_9fa48("3236") ? "" : (stryCov_9fa48("3236"), 'KeyRevoked'),
    data: {}
  })]);
  return revokeKey;
})());
function existing(state: Key | null): Key {
  if (stryMutAct_9fa48("3237")) {
    {}
  } else {
    stryCov_9fa48("3237");
    if (stryMutAct_9fa48("3240") ? state !== null : stryMutAct_9fa48("3239") ? false : stryMutAct_9fa48("3238") ? true : (stryCov_9fa48("3238", "3239", "3240"), state === null)) throw new Refusal(stryMutAct_9fa48("3241") ? "" : (stryCov_9fa48("3241"), 'not_found'), stryMutAct_9fa48("3242") ? "" : (stryCov_9fa48("3242"), 'key_not_found'), stryMutAct_9fa48("3243") ? "" : (stryCov_9fa48("3243"), 'There is no such key.'));
    return state;
  }
}