// Keeping a secret before what it is for is recorded: for good in the vault, or for minutes in the memory store.
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
import { Refusal } from '../domain/decider.ts';
import { ShareFull, StoreUnavailable } from '../stores/contract/faults.ts';
import type { Lifetime, Share, Transient } from '../stores/contract/transient.ts';
import type { Placed, SecretKind, Vault } from '../stores/contract/vault.ts';
const SHARE_AGAIN_S = 5;

/**
 * 503 `store_away` where the vault does not take it: what it is for is not recorded, and repeating the call is safe.
 */
export async function keep(vault: Vault, kind: SecretKind, id: string, value: Uint8Array): Promise<void> {
  if (stryMutAct_9fa48("804")) {
    {}
  } else {
    stryCov_9fa48("804");
    try {
      if (stryMutAct_9fa48("805")) {
        {}
      } else {
        stryCov_9fa48("805");
        await vault.putIfAbsent(kind, id, value);
      }
    } catch (cause) {
      if (stryMutAct_9fa48("806")) {
        {}
      } else {
        stryCov_9fa48("806");
        const detail = (stryMutAct_9fa48("807") ? "" : (stryCov_9fa48("807"), 'Secrets cannot be kept just now. What the call did before may be recorded: send it again, with the same ')) + (stryMutAct_9fa48("808") ? "" : (stryCov_9fa48("808"), 'Idempotency-Key.'));
        throw Object.assign(new Refusal(stryMutAct_9fa48("809") ? "" : (stryCov_9fa48("809"), 'unavailable'), stryMutAct_9fa48("810") ? "" : (stryCov_9fa48("810"), 'store_away'), detail), stryMutAct_9fa48("811") ? {} : (stryCov_9fa48("811"), {
          cause
        }));
      }
    }
  }
}

/**
 * Records what stored secrets are for. Destroys them where that is refused because the game is deleted: the removal of the game
 * destroys only secrets that its events name. Any other failure leaves them: the same call may be recorded when it is repeated.
 */
export async function recordFor<T>(vault: Vault, stored: readonly Placed[], record: () => Promise<T>): Promise<T> {
  if (stryMutAct_9fa48("812")) {
    {}
  } else {
    stryCov_9fa48("812");
    try {
      if (stryMutAct_9fa48("813")) {
        {}
      } else {
        stryCov_9fa48("813");
        return await record();
      }
    } catch (error) {
      if (stryMutAct_9fa48("814")) {
        {}
      } else {
        stryCov_9fa48("814");
        if (stryMutAct_9fa48("817") ? error instanceof Refusal || error.code === 'game_not_found' : stryMutAct_9fa48("816") ? false : stryMutAct_9fa48("815") ? true : (stryCov_9fa48("815", "816", "817"), error instanceof Refusal && (stryMutAct_9fa48("819") ? error.code !== 'game_not_found' : stryMutAct_9fa48("818") ? true : (stryCov_9fa48("818", "819"), error.code === (stryMutAct_9fa48("820") ? "" : (stryCov_9fa48("820"), 'game_not_found')))))) {
          if (stryMutAct_9fa48("821")) {
            {}
          } else {
            stryCov_9fa48("821");
            await Promise.all(stored.map(stryMutAct_9fa48("822") ? () => undefined : (stryCov_9fa48("822"), ({
              kind,
              id
            }) => vault.destroy(kind, id)))).catch(() => {});
          }
        }
        throw error;
      }
    }
  }
}
interface KeepShortlyOptions extends Lifetime {
  readonly share?: Share | undefined;
}

/**
 * What is good for minutes: a code, a ticket. 429 `rate_limited` where its owner has used up their share, 503 `store_away`
 * where there is no room for it.
 */
export async function keepShortly(transient: Transient, key: string, value: string, options: KeepShortlyOptions): Promise<void> {
  if (stryMutAct_9fa48("823")) {
    {}
  } else {
    stryCov_9fa48("823");
    try {
      if (stryMutAct_9fa48("824")) {
        {}
      } else {
        stryCov_9fa48("824");
        await transient.put(key, value, options, options.share);
      }
    } catch (why) {
      if (stryMutAct_9fa48("825")) {
        {}
      } else {
        stryCov_9fa48("825");
        if (stryMutAct_9fa48("827") ? false : stryMutAct_9fa48("826") ? true : (stryCov_9fa48("826", "827"), why instanceof StoreUnavailable)) throw why;
        if (stryMutAct_9fa48("829") ? false : stryMutAct_9fa48("828") ? true : (stryCov_9fa48("828", "829"), why instanceof ShareFull)) {
          if (stryMutAct_9fa48("830")) {
            {}
          } else {
            stryCov_9fa48("830");
            const fields = stryMutAct_9fa48("831") ? {} : (stryCov_9fa48("831"), {
              retry_after: SHARE_AGAIN_S,
              policy: stryMutAct_9fa48("832") ? "" : (stryCov_9fa48("832"), 'waiting')
            });
            throw new Refusal(stryMutAct_9fa48("833") ? "" : (stryCov_9fa48("833"), 'too_many'), stryMutAct_9fa48("834") ? "" : (stryCov_9fa48("834"), 'rate_limited'), stryMutAct_9fa48("835") ? `` : (stryCov_9fa48("835"), `Too many tickets wait to be used. Use them, or wait.`), fields);
          }
        }
        const detail = (stryMutAct_9fa48("836") ? "" : (stryCov_9fa48("836"), 'Too many codes and tickets wait to be used. What the call did before may be recorded: send it again in a moment, ')) + (stryMutAct_9fa48("837") ? "" : (stryCov_9fa48("837"), 'with the same Idempotency-Key.'));
        throw Object.assign(new Refusal(stryMutAct_9fa48("838") ? "" : (stryCov_9fa48("838"), 'unavailable'), stryMutAct_9fa48("839") ? "" : (stryCov_9fa48("839"), 'store_away'), detail), stryMutAct_9fa48("840") ? {} : (stryCov_9fa48("840"), {
          cause: why
        }));
      }
    }
  }
}