// Deleting files. What they held is freed after the file's own stream has said that they are gone: by the call,
// or after a crash by a process.
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
import { randomUUID } from 'node:crypto';
import { Refusal } from '../domain/decider.ts';
import { deleteFile, type FileDeletedData, type FileVersion, file, fileStream } from '../domain/file.ts';
import { CLEARED, quota, quotaStream } from '../domain/quota.ts';
import { beginDeletions, freeFiles } from '../domain/reserve.ts';
import { nothingThere } from '../domain/rules.ts';
import type { BucketPlace } from './bucket.ts';
import type { CommandContext, CommitPosition } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import { partOf } from './part-of.ts';

/** A file by its folder's id and the key of its path. */
export interface FilePlace {
  readonly folder: string;
  readonly key: string;
}

/** A file that is to be cleared away, by a deletion of its own. */
export interface Doomed extends FilePlace {
  readonly deletion: string;
  /** Only if this player owns it; null: any owner. */
  readonly creator: string | null;
}
export function doomed({
  folder,
  key
}: FilePlace, creator: string | null = null): Doomed {
  if (stryMutAct_9fa48("341")) {
    {}
  } else {
    stryCov_9fa48("341");
    return stryMutAct_9fa48("342") ? {} : (stryCov_9fa48("342"), {
      folder,
      key,
      deletion: stryMutAct_9fa48("343") ? `` : (stryCov_9fa48("343"), `${CLEARED}${randomUUID()}`),
      creator
    });
  }
}

/** Deletes one file. 404 where it is not there, and whatever `admit` throws. */
export async function removeFile(deps: CommandDeps, place: BucketPlace, wanted: {
  readonly file: FilePlace;
  readonly admit: (present: FileVersion) => void;
}, context: CommandContext) {
  if (stryMutAct_9fa48("344")) {
    {}
  } else {
    stryCov_9fa48("344");
    const {
      folder,
      key
    } = wanted.file;
    const deletion = context.generator.id(stryMutAct_9fa48("345") ? "" : (stryCov_9fa48("345"), 'deletion'));
    await begin(deps, place, stryMutAct_9fa48("346") ? [] : (stryCov_9fa48("346"), [deletion]), context);
    const about = stryMutAct_9fa48("347") ? {} : (stryCov_9fa48("347"), {
      stream: fileStream(place.bucket, key),
      game: place.game
    });
    const handled = await deps.handler.handle(file, about, context, deleteFile(folder, deletion, wanted.admit));
    for (const event of handled.events) if (stryMutAct_9fa48("350") ? event.type !== 'FileDeleted' : stryMutAct_9fa48("349") ? false : stryMutAct_9fa48("348") ? true : (stryCov_9fa48("348", "349", "350"), event.type === (stryMutAct_9fa48("351") ? "" : (stryCov_9fa48("351"), 'FileDeleted')))) await free(deps, place, stryMutAct_9fa48("352") ? [] : (stryCov_9fa48("352"), [event.data]), context);
    return handled;
  }
}

/**
 * Deletes files that nobody asked for; those that are not there any more are passed over.
 * Gives the last write, or null.
 */
export async function clearFiles(deps: CommandDeps, place: BucketPlace, files: readonly Doomed[], context: CommandContext): Promise<CommitPosition | null> {
  if (stryMutAct_9fa48("353")) {
    {}
  } else {
    stryCov_9fa48("353");
    if (stryMutAct_9fa48("356") ? files.length !== 0 : stryMutAct_9fa48("355") ? false : stryMutAct_9fa48("354") ? true : (stryCov_9fa48("354", "355", "356"), files.length === 0)) return null;
    const first = stryMutAct_9fa48("357") ? files[0]?.deletion && '' : (stryCov_9fa48("357"), (stryMutAct_9fa48("358") ? files[0].deletion : (stryCov_9fa48("358"), files[0]?.deletion)) ?? (stryMutAct_9fa48("359") ? "Stryker was here!" : (stryCov_9fa48("359"), '')));
    await begin(deps, place, files.map(stryMutAct_9fa48("360") ? () => undefined : (stryCov_9fa48("360"), ({
      deletion
    }) => deletion)), partOf(context, first));
    const cleared = await Promise.all(files.map(stryMutAct_9fa48("361") ? () => undefined : (stryCov_9fa48("361"), one => clear(deps, place, one, context))));
    const gone = cleared.flatMap(stryMutAct_9fa48("362") ? () => undefined : (stryCov_9fa48("362"), one => stryMutAct_9fa48("363") ? one && [] : (stryCov_9fa48("363"), one ?? (stryMutAct_9fa48("364") ? ["Stryker was here"] : (stryCov_9fa48("364"), [])))));
    await free(deps, place, gone.map(stryMutAct_9fa48("365") ? () => undefined : (stryCov_9fa48("365"), ({
      data
    }) => data)), partOf(context, first));
    return gone.reduce<CommitPosition | null>(stryMutAct_9fa48("366") ? () => undefined : (stryCov_9fa48("366"), (last, {
      written
    }) => laterOf(last, written)), null);
  }
}
async function clear(deps: CommandDeps, {
  bucket,
  game
}: BucketPlace, {
  folder,
  key,
  deletion,
  creator
}: Doomed, context: CommandContext): Promise<{
  data: FileDeletedData;
  written: CommitPosition | null;
} | null> {
  if (stryMutAct_9fa48("367")) {
    {}
  } else {
    stryCov_9fa48("367");
    const about = stryMutAct_9fa48("368") ? {} : (stryCov_9fa48("368"), {
      stream: fileStream(bucket, key),
      game
    });
    const decision = deleteFile(folder, deletion, present => {
      if (stryMutAct_9fa48("369")) {
        {}
      } else {
        stryCov_9fa48("369");
        if (stryMutAct_9fa48("372") ? creator !== null || present.creator !== creator : stryMutAct_9fa48("371") ? false : stryMutAct_9fa48("370") ? true : (stryCov_9fa48("370", "371", "372"), (stryMutAct_9fa48("374") ? creator === null : stryMutAct_9fa48("373") ? true : (stryCov_9fa48("373", "374"), creator !== null)) && (stryMutAct_9fa48("376") ? present.creator === creator : stryMutAct_9fa48("375") ? true : (stryCov_9fa48("375", "376"), present.creator !== creator)))) throw nothingThere();
      }
    });
    try {
      if (stryMutAct_9fa48("377")) {
        {}
      } else {
        stryCov_9fa48("377");
        const {
          events,
          written
        } = await deps.handler.handle(file, about, partOf(context, deletion), decision);
        const [event] = events;
        return (stryMutAct_9fa48("380") ? event?.type !== 'FileDeleted' : stryMutAct_9fa48("379") ? false : stryMutAct_9fa48("378") ? true : (stryCov_9fa48("378", "379", "380"), (stryMutAct_9fa48("381") ? event.type : (stryCov_9fa48("381"), event?.type)) === (stryMutAct_9fa48("382") ? "" : (stryCov_9fa48("382"), 'FileDeleted')))) ? stryMutAct_9fa48("383") ? {} : (stryCov_9fa48("383"), {
          data: event.data,
          written
        }) : null;
      }
    } catch (why) {
      if (stryMutAct_9fa48("384")) {
        {}
      } else {
        stryCov_9fa48("384");
        if (stryMutAct_9fa48("387") ? why instanceof Refusal || why.kind === 'not_found' : stryMutAct_9fa48("386") ? false : stryMutAct_9fa48("385") ? true : (stryCov_9fa48("385", "386", "387"), why instanceof Refusal && (stryMutAct_9fa48("389") ? why.kind !== 'not_found' : stryMutAct_9fa48("388") ? true : (stryCov_9fa48("388", "389"), why.kind === (stryMutAct_9fa48("390") ? "" : (stryCov_9fa48("390"), 'not_found')))))) return null;
        throw why;
      }
    }
  }
}
function laterOf(a: CommitPosition | null, b: CommitPosition | null): CommitPosition | null {
  if (stryMutAct_9fa48("391")) {
    {}
  } else {
    stryCov_9fa48("391");
    if (stryMutAct_9fa48("394") ? a === null && b === null : stryMutAct_9fa48("393") ? false : stryMutAct_9fa48("392") ? true : (stryCov_9fa48("392", "393", "394"), (stryMutAct_9fa48("396") ? a !== null : stryMutAct_9fa48("395") ? false : (stryCov_9fa48("395", "396"), a === null)) || (stryMutAct_9fa48("398") ? b !== null : stryMutAct_9fa48("397") ? false : (stryCov_9fa48("397", "398"), b === null)))) return stryMutAct_9fa48("399") ? a && b : (stryCov_9fa48("399"), a ?? b);
    return (stryMutAct_9fa48("403") ? a.position <= b.position : stryMutAct_9fa48("402") ? a.position >= b.position : stryMutAct_9fa48("401") ? false : stryMutAct_9fa48("400") ? true : (stryCov_9fa48("400", "401", "402", "403"), a.position > b.position)) ? a : b;
  }
}
function begin(deps: CommandDeps, {
  bucket,
  game
}: BucketPlace, deletions: readonly string[], context: CommandContext) {
  if (stryMutAct_9fa48("404")) {
    {}
  } else {
    stryCov_9fa48("404");
    const about = stryMutAct_9fa48("405") ? {} : (stryCov_9fa48("405"), {
      stream: quotaStream(bucket),
      game
    });
    return deps.handler.handle(quota, about, partOf(context, stryMutAct_9fa48("406") ? "" : (stryCov_9fa48("406"), 'begin deletions')), beginDeletions(deletions));
  }
}

/** Frees what deleted files held; once only, however often it is called. */
export async function free(deps: CommandDeps, {
  bucket,
  game
}: BucketPlace, deleted: readonly FileDeletedData[], context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("407")) {
    {}
  } else {
    stryCov_9fa48("407");
    if (stryMutAct_9fa48("410") ? deleted.length !== 0 : stryMutAct_9fa48("409") ? false : stryMutAct_9fa48("408") ? true : (stryCov_9fa48("408", "409", "410"), deleted.length === 0)) return;
    const files = deleted.map(stryMutAct_9fa48("411") ? () => undefined : (stryCov_9fa48("411"), ({
      deletion,
      creator,
      size
    }) => stryMutAct_9fa48("412") ? {} : (stryCov_9fa48("412"), {
      deletion,
      owner: creator,
      bytes: size,
      files: 1
    })));
    const about = stryMutAct_9fa48("413") ? {} : (stryCov_9fa48("413"), {
      stream: quotaStream(bucket),
      game
    });
    await deps.handler.handle(quota, about, partOf(context, stryMutAct_9fa48("414") ? "" : (stryCov_9fa48("414"), 'free')), freeFiles(files));
  }
}