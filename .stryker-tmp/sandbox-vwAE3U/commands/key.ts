// Issuing keys, changing what they may do, revoking them. A secret goes to the vault before the key is recorded, and is
// shown once, by the answer to the call that made it.
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
import { ed25519Pair } from '../credentials/signatures.ts';
import { toBase64url } from '../credentials/text.ts';
import { changePermissions, issueKey, type Key, type KeyAlgorithm, type KeyKind, key, keyStream, revokeKey } from '../domain/key.ts';
import type { MayGrant } from '../domain/permissions.ts';
import type { Handled } from './command-batch.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import { keep, recordFor } from './keep.ts';
import { publishKey } from './publish-revocations.ts';
import * as slots from './slots.ts';
export interface NewKey {
  readonly game: string | null;
  readonly name: string;
  readonly kind: KeyKind;
  readonly algorithm: KeyAlgorithm;
  readonly permissions: readonly string[];
  /** Ed25519: the tenant's own public key (base64url), else the server makes the pair. */
  readonly publicKey?: string | undefined;
}
export interface IssuedKey {
  readonly prefix: string;
  readonly key: Key;
  /** Shown once: the HMAC secret, or the seed of the pair that the server made. */
  readonly shown: {
    readonly secret: string;
  } | {
    readonly private_key: string;
  } | Readonly<Record<string, never>>;
  readonly handled: Handled<Key | null, unknown>;
}

/** 422 `too_many_keys`; the operator's keys are not counted. */
export async function issue(deps: CommandDeps, fresh: NewKey, context: CommandContext): Promise<IssuedKey> {
  if (stryMutAct_9fa48("841")) {
    {}
  } else {
    stryCov_9fa48("841");
    const prefix = stryMutAct_9fa48("842") ? `` : (stryCov_9fa48("842"), `${(stryMutAct_9fa48("845") ? fresh.kind !== 'server' : stryMutAct_9fa48("844") ? false : stryMutAct_9fa48("843") ? true : (stryCov_9fa48("843", "844", "845"), fresh.kind === (stryMutAct_9fa48("846") ? "" : (stryCov_9fa48("846"), 'server')))) ? stryMutAct_9fa48("847") ? "" : (stryCov_9fa48("847"), 'sk') : stryMutAct_9fa48("848") ? "" : (stryCov_9fa48("848"), 'ck')}_${context.generator.id(stryMutAct_9fa48("849") ? "" : (stryCov_9fa48("849"), 'key'))}`);
    const bytes = context.generator.secret(stryMutAct_9fa48("850") ? "" : (stryCov_9fa48("850"), 'key'));
    const {
      game,
      name,
      kind,
      algorithm,
      permissions
    } = fresh;
    if (stryMutAct_9fa48("853") ? game === null : stryMutAct_9fa48("852") ? false : stryMutAct_9fa48("851") ? true : (stryCov_9fa48("851", "852", "853"), game !== null)) await slots.take(deps, game, stryMutAct_9fa48("854") ? {} : (stryCov_9fa48("854"), {
      kind: stryMutAct_9fa48("855") ? "" : (stryCov_9fa48("855"), 'keys'),
      id: prefix
    }), context);
    let publicKey: string | null = null;
    let shown: IssuedKey['shown'] = {};
    if (stryMutAct_9fa48("858") ? algorithm !== 'hmac-sha256' : stryMutAct_9fa48("857") ? false : stryMutAct_9fa48("856") ? true : (stryCov_9fa48("856", "857", "858"), algorithm === (stryMutAct_9fa48("859") ? "" : (stryCov_9fa48("859"), 'hmac-sha256')))) {
      if (stryMutAct_9fa48("860")) {
        {}
      } else {
        stryCov_9fa48("860");
        const secret = toBase64url(bytes);
        await keep(deps.vault, stryMutAct_9fa48("861") ? "" : (stryCov_9fa48("861"), 'key-secret'), prefix, Buffer.from(secret));
        shown = stryMutAct_9fa48("862") ? {} : (stryCov_9fa48("862"), {
          secret
        });
      }
    } else if (stryMutAct_9fa48("865") ? fresh.publicKey !== undefined : stryMutAct_9fa48("864") ? false : stryMutAct_9fa48("863") ? true : (stryCov_9fa48("863", "864", "865"), fresh.publicKey === undefined)) {
      if (stryMutAct_9fa48("866")) {
        {}
      } else {
        stryCov_9fa48("866");
        publicKey = toBase64url(ed25519Pair(bytes).publicKey);
        shown = stryMutAct_9fa48("867") ? {} : (stryCov_9fa48("867"), {
          private_key: toBase64url(bytes)
        });
      }
    } else {
      if (stryMutAct_9fa48("868")) {
        {}
      } else {
        stryCov_9fa48("868");
        publicKey = fresh.publicKey;
      }
    }
    const decision = issueKey(stryMutAct_9fa48("869") ? {} : (stryCov_9fa48("869"), {
      game,
      name,
      kind,
      algorithm,
      permissions,
      publicKey
    }));
    const stored = [{
      kind: 'key-secret',
      id: prefix
    }] as const;
    const handled = await recordFor(deps.vault, stored, stryMutAct_9fa48("870") ? () => undefined : (stryCov_9fa48("870"), () => deps.handler.handle(key, stryMutAct_9fa48("871") ? {} : (stryCov_9fa48("871"), {
      stream: keyStream(prefix),
      game
    }), context, decision)));
    return stryMutAct_9fa48("872") ? {} : (stryCov_9fa48("872"), {
      prefix,
      key: made(handled.after),
      shown,
      handled
    });
  }
}
export interface KeyChange {
  readonly prefix: string;
  /** The key's, which the caller has looked up. */
  readonly game: string | null;
  readonly permissions: readonly string[];
  /** Decides, on the key as its stream has it, about those that it does not hold yet. */
  readonly mayGrant: MayGrant;
}

/** Publishes the change to every node before it answers. */
export async function setPermissions(deps: CommandDeps, {
  prefix,
  game,
  permissions,
  mayGrant
}: KeyChange, context: CommandContext) {
  if (stryMutAct_9fa48("873")) {
    {}
  } else {
    stryCov_9fa48("873");
    const decision = changePermissions(permissions, mayGrant);
    const handled = await deps.handler.handle(key, stryMutAct_9fa48("874") ? {} : (stryCov_9fa48("874"), {
      stream: keyStream(prefix),
      game
    }), context, decision);
    await publishKey(deps, prefix, handled);
    return handled;
  }
}

/** `game` is that of the key, which the caller has looked up. Publishes it to every node before it answers. */
export async function revoke(deps: CommandDeps, prefix: string, game: string | null, context: CommandContext) {
  if (stryMutAct_9fa48("875")) {
    {}
  } else {
    stryCov_9fa48("875");
    const handled = await deps.handler.handle(key, stryMutAct_9fa48("876") ? {} : (stryCov_9fa48("876"), {
      stream: keyStream(prefix),
      game
    }), context, revokeKey);
    await publishKey(deps, prefix, handled);
    if (stryMutAct_9fa48("879") ? game === null : stryMutAct_9fa48("878") ? false : stryMutAct_9fa48("877") ? true : (stryCov_9fa48("877", "878", "879"), game !== null)) await slots.release(deps, game, stryMutAct_9fa48("880") ? {} : (stryCov_9fa48("880"), {
      kind: stryMutAct_9fa48("881") ? "" : (stryCov_9fa48("881"), 'keys'),
      id: prefix,
      isGone: slots.isEnding(handled)
    }), context);
    return handled;
  }
}
function made(state: Key | null): Key {
  if (stryMutAct_9fa48("882")) {
    {}
  } else {
    stryCov_9fa48("882");
    if (stryMutAct_9fa48("885") ? state !== null : stryMutAct_9fa48("884") ? false : stryMutAct_9fa48("883") ? true : (stryCov_9fa48("883", "884", "885"), state === null)) throw new Error(stryMutAct_9fa48("886") ? "" : (stryCov_9fa48("886"), 'a key was issued and does not stand'));
    return state;
  }
}