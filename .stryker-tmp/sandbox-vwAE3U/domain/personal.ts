// Which fields of which events hold what a player wrote about themself or named. The log keeps them sealed under a key of the
// player, so that destroying the key makes them unreadable.
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
import { type NewEvent, unsafeCast } from './event.ts';
import type { Replaced } from './file.ts';
type Sealable = Pick<NewEvent, 'data' | 'meta' | 'type'>;

/** Event type -> top-level fields of its data, each a string or null. */
export const PERSONAL_FIELDS: Readonly<Record<string, readonly string[]>> = stryMutAct_9fa48("3418") ? {} : (stryCov_9fa48("3418"), {
  PlayerCreated: stryMutAct_9fa48("3419") ? [] : (stryCov_9fa48("3419"), [stryMutAct_9fa48("3420") ? "" : (stryCov_9fa48("3420"), 'name'), stryMutAct_9fa48("3421") ? "" : (stryCov_9fa48("3421"), 'externalId')]),
  PlayerNamed: stryMutAct_9fa48("3422") ? [] : (stryCov_9fa48("3422"), [stryMutAct_9fa48("3423") ? "" : (stryCov_9fa48("3423"), 'name')]),
  LoginClaimed: stryMutAct_9fa48("3424") ? [] : (stryCov_9fa48("3424"), [stryMutAct_9fa48("3425") ? "" : (stryCov_9fa48("3425"), 'name')]),
  ExternalClaimed: stryMutAct_9fa48("3426") ? [] : (stryCov_9fa48("3426"), [stryMutAct_9fa48("3427") ? "" : (stryCov_9fa48("3427"), 'name'), stryMutAct_9fa48("3428") ? "" : (stryCov_9fa48("3428"), 'externalId')]),
  ScoreSubmitted: stryMutAct_9fa48("3429") ? [] : (stryCov_9fa48("3429"), [stryMutAct_9fa48("3430") ? "" : (stryCov_9fa48("3430"), 'playerName'), stryMutAct_9fa48("3431") ? "" : (stryCov_9fa48("3431"), 'extra')]),
  UploadOpened: stryMutAct_9fa48("3432") ? [] : (stryCov_9fa48("3432"), [stryMutAct_9fa48("3433") ? "" : (stryCov_9fa48("3433"), 'path'), stryMutAct_9fa48("3434") ? "" : (stryCov_9fa48("3434"), 'contentType')]),
  FileStored: stryMutAct_9fa48("3435") ? [] : (stryCov_9fa48("3435"), [stryMutAct_9fa48("3436") ? "" : (stryCov_9fa48("3436"), 'path'), stryMutAct_9fa48("3437") ? "" : (stryCov_9fa48("3437"), 'contentType')]),
  // Chosen by the player who wrote this version: it is the file's, as the bytes are, and goes with the file's creator.
  FileOverwritten: stryMutAct_9fa48("3438") ? [] : (stryCov_9fa48("3438"), [stryMutAct_9fa48("3439") ? "" : (stryCov_9fa48("3439"), 'contentType')]),
  FolderCreated: stryMutAct_9fa48("3440") ? [] : (stryCov_9fa48("3440"), [stryMutAct_9fa48("3441") ? "" : (stryCov_9fa48("3441"), 'path')])
});

/** Of these the player is named in the data. Null there is the tenant, whose texts are nobody's personal text. */
const OWNERS: Readonly<Record<string, (data: NewEvent['data']) => unknown>> = stryMutAct_9fa48("3442") ? {} : (stryCov_9fa48("3442"), {
  UploadOpened: stryMutAct_9fa48("3443") ? () => undefined : (stryCov_9fa48("3443"), ({
    player
  }) => player),
  FileStored: stryMutAct_9fa48("3444") ? () => undefined : (stryCov_9fa48("3444"), ({
    creator
  }) => creator),
  FileOverwritten: stryMutAct_9fa48("3445") ? () => undefined : (stryCov_9fa48("3445"), ({
    replaced
  }) => stryMutAct_9fa48("3446") ? unsafeCast<Pick<Replaced, 'creator'> | undefined>(replaced).creator : (stryCov_9fa48("3446"), unsafeCast<Pick<Replaced, 'creator'> | undefined>(replaced)?.creator)),
  FolderCreated: stryMutAct_9fa48("3447") ? () => undefined : (stryCov_9fa48("3447"), ({
    creator
  }) => creator)
});

/**
 * Whether an event is of a file, an upload or a folder: their texts are sealed under a key that outlives the player's own until
 * their files are removed.
 */
export const isOfFiles = stryMutAct_9fa48("3448") ? () => undefined : (stryCov_9fa48("3448"), (() => {
  const isOfFiles = ({
    type
  }: Pick<NewEvent, 'type'>): boolean => type in OWNERS;
  return isOfFiles;
})());

/** The player whose text an event holds; null where it holds none of a player. */
export function ownerOf(event: Sealable): string | null {
  if (stryMutAct_9fa48("3449")) {
    {}
  } else {
    stryCov_9fa48("3449");
    const ownerIn = OWNERS[event.type];
    const owner = (stryMutAct_9fa48("3452") ? ownerIn !== undefined : stryMutAct_9fa48("3451") ? false : stryMutAct_9fa48("3450") ? true : (stryCov_9fa48("3450", "3451", "3452"), ownerIn === undefined)) ? event.meta.player : ownerIn(event.data);
    return (stryMutAct_9fa48("3455") ? typeof owner !== 'string' : stryMutAct_9fa48("3454") ? false : stryMutAct_9fa48("3453") ? true : (stryCov_9fa48("3453", "3454", "3455"), typeof owner === (stryMutAct_9fa48("3456") ? "" : (stryCov_9fa48("3456"), 'string')))) ? owner : null;
  }
}

/** The id of the key that paths and content types of a player's files are sealed under. */
export const filesKeyOf = stryMutAct_9fa48("3457") ? () => undefined : (stryCov_9fa48("3457"), (() => {
  const filesKeyOf = (player: string): string => stryMutAct_9fa48("3458") ? `` : (stryCov_9fa48("3458"), `${player}.files`);
  return filesKeyOf;
})());

/** The id of the key that the personal text of an event is sealed under; null where no player is named. */
export function sealingKeyOf(event: Sealable): string | null {
  if (stryMutAct_9fa48("3459")) {
    {}
  } else {
    stryCov_9fa48("3459");
    const owner = ownerOf(event);
    return (stryMutAct_9fa48("3462") ? owner !== null || isOfFiles(event) : stryMutAct_9fa48("3461") ? false : stryMutAct_9fa48("3460") ? true : (stryCov_9fa48("3460", "3461", "3462"), (stryMutAct_9fa48("3464") ? owner === null : stryMutAct_9fa48("3463") ? true : (stryCov_9fa48("3463", "3464"), owner !== null)) && isOfFiles(event))) ? filesKeyOf(owner) : owner;
  }
}

/** The personal fields of an event that hold text, sealed or in clear. */
export function personalTexts(event: Sealable): readonly string[] {
  if (stryMutAct_9fa48("3465")) {
    {}
  } else {
    stryCov_9fa48("3465");
    const fields = PERSONAL_FIELDS[event.type];
    if (stryMutAct_9fa48("3468") ? fields === undefined && isOfFiles(event) && ownerOf(event) === null : stryMutAct_9fa48("3467") ? false : stryMutAct_9fa48("3466") ? true : (stryCov_9fa48("3466", "3467", "3468"), (stryMutAct_9fa48("3470") ? fields !== undefined : stryMutAct_9fa48("3469") ? false : (stryCov_9fa48("3469", "3470"), fields === undefined)) || (stryMutAct_9fa48("3472") ? isOfFiles(event) || ownerOf(event) === null : stryMutAct_9fa48("3471") ? false : (stryCov_9fa48("3471", "3472"), isOfFiles(event) && (stryMutAct_9fa48("3474") ? ownerOf(event) !== null : stryMutAct_9fa48("3473") ? true : (stryCov_9fa48("3473", "3474"), ownerOf(event) === null)))))) return stryMutAct_9fa48("3475") ? ["Stryker was here"] : (stryCov_9fa48("3475"), []);
    return stryMutAct_9fa48("3476") ? fields : (stryCov_9fa48("3476"), fields.filter(stryMutAct_9fa48("3477") ? () => undefined : (stryCov_9fa48("3477"), field => stryMutAct_9fa48("3480") ? typeof event.data[field] !== 'string' : stryMutAct_9fa48("3479") ? false : stryMutAct_9fa48("3478") ? true : (stryCov_9fa48("3478", "3479", "3480"), typeof event.data[field] === (stryMutAct_9fa48("3481") ? "" : (stryCov_9fa48("3481"), 'string'))))));
  }
}