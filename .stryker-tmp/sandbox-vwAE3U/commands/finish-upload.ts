// From an upload whose bytes are there to a file, and the end of one that expires. Whether an upload becomes a file or
// never will is decided on the file's stream, so that it is one of the two, however many calls and nodes are at it.
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
import { pathKey } from '../credentials/path-key.ts';
import type { BucketLimits } from '../domain/bucket.ts';
import { momentOf, unsafeCast } from '../domain/event.ts';
import { abandonUpload, type FileEvent, FileMoved, type FileOverwrittenData, type FileStoredData, type FileVersion, file, fileStream, presentIn, type Replaced, storeFile } from '../domain/file.ts';
import { quota, quotaStream } from '../domain/quota.ts';
import type { Share } from '../domain/quota-state.ts';
import { confirmUpload, releaseUpload, settleUpload } from '../domain/reserve.ts';
import { completeUpload, expireUpload, finishUpload, type NamedUpload, upload, uploadStream } from '../domain/upload.ts';
import { eventsFrom } from '../stores/support/events-from.ts';
import type { BucketPlace } from './bucket.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandDeps } from './command-deps.ts';
import { loadState } from './load-state.ts';
import { partOf } from './part-of.ts';
import { quotaShare } from './upload.ts';
const TRIES = 10;

/** Where it goes: the folder that stands at the path now. */
interface Into {
  readonly folder: string;
  readonly folderKey: string;
  readonly limits: BucketLimits;
  /** Told which file it is a new version of, or null; throws where that is not allowed. */
  admit(present: FileVersion | null): void;
}
interface Completed {
  readonly id: string;
  readonly wanted: NamedUpload;
  readonly into: Into;
}

/**
 * Makes the file of an upload whose bytes are there. Answers the completed upload, the same however often it is called.
 * 422 `quota_exceeded`, 422 `file_too_large` by the limits as they are now, and whatever `admit` throws.
 */
export async function complete(deps: CommandDeps, place: BucketPlace, completed: Completed, context: CommandContext) {
  if (stryMutAct_9fa48("415")) {
    {}
  } else {
    stryCov_9fa48("415");
    const {
      id
    } = completed;
    const version = await store(deps, place, completed, context);
    await settle(deps, place, stryMutAct_9fa48("416") ? {} : (stryCov_9fa48("416"), {
      upload: id,
      ...version
    }), context);
    const {
      creator,
      created,
      updated
    } = version.version;
    const data = stryMutAct_9fa48("417") ? {} : (stryCov_9fa48("417"), {
      file: version.version.id,
      creator,
      created,
      updated
    });
    const about = stryMutAct_9fa48("418") ? {} : (stryCov_9fa48("418"), {
      stream: uploadStream(id),
      game: place.game
    });
    const handled = await deps.handler.handle(upload, about, context, completeUpload(data));
    return handled;
  }
}
interface StoredVersion {
  readonly version: FileVersion;
  readonly replaced: Replaced | null;
}
async function store(deps: CommandDeps, place: BucketPlace, {
  id,
  wanted,
  into
}: Completed, context: CommandContext): Promise<StoredVersion> {
  if (stryMutAct_9fa48("419")) {
    {}
  } else {
    stryCov_9fa48("419");
    const {
      path,
      size,
      contentType,
      sha256,
      blob,
      player
    } = wanted;
    const {
      folder,
      folderKey,
      limits,
      admit
    } = into;
    const about = stryMutAct_9fa48("420") ? {} : (stryCov_9fa48("420"), {
      stream: fileStream(place.bucket, pathKey(deps.keys.digest, place.bucket, path)),
      game: place.game
    });
    const fresh = stryMutAct_9fa48("421") ? {} : (stryCov_9fa48("421"), {
      id: context.generator.id(stryMutAct_9fa48("422") ? "" : (stryCov_9fa48("422"), 'file')),
      path,
      folder,
      folderKey,
      size,
      contentType,
      sha256,
      blob,
      upload: id
    });
    if (stryMutAct_9fa48("423")) {
      for (let attempt = 1; false; attempt++) {
        const at = await loadState(deps, file, about.stream);
        const present = presentIn(at, folder);
        if (!at.past.some(one => one.upload === id)) {
          admit(present);
          const share = quotaShare(size, player, present);
          const quotaAbout = {
            stream: quotaStream(place.bucket),
            game: place.game
          };
          const confirmed = confirmUpload({
            upload: id,
            size,
            ...share
          }, limits);
          await deps.handler.handle(quota, quotaAbout, partOf(context, `confirm ${attempt}`), confirmed);
        }
        try {
          const decision = storeFile({
            ...fresh,
            creator: player
          }, at.current?.upload ?? null, admit);
          const handled = await deps.handler.handle(file, about, partOf(context, `store ${attempt}`), decision);
          const [event] = handled.events;
          if (event === undefined) return await storedBefore(deps, about.stream, id);
          if (event.type !== 'FileStored' && event.type !== 'FileOverwritten') throw new Error(`${event.type} stores nothing`);
          return {
            version: handled.after.current as FileVersion,
            replaced: event.data.replaced
          };
        } catch (why) {
          if (!(why instanceof FileMoved) || attempt === TRIES) throw why;
        }
      }
    } else {
      stryCov_9fa48("423");
      for (let attempt = 1;; stryMutAct_9fa48("424") ? attempt-- : (stryCov_9fa48("424"), attempt++)) {
        if (stryMutAct_9fa48("425")) {
          {}
        } else {
          stryCov_9fa48("425");
          const at = await loadState(deps, file, about.stream);
          const present = presentIn(at, folder);
          if (stryMutAct_9fa48("428") ? false : stryMutAct_9fa48("427") ? true : stryMutAct_9fa48("426") ? at.past.some(one => one.upload === id) : (stryCov_9fa48("426", "427", "428"), !(stryMutAct_9fa48("429") ? at.past.every(one => one.upload === id) : (stryCov_9fa48("429"), at.past.some(stryMutAct_9fa48("430") ? () => undefined : (stryCov_9fa48("430"), one => stryMutAct_9fa48("433") ? one.upload !== id : stryMutAct_9fa48("432") ? false : stryMutAct_9fa48("431") ? true : (stryCov_9fa48("431", "432", "433"), one.upload === id))))))) {
            if (stryMutAct_9fa48("434")) {
              {}
            } else {
              stryCov_9fa48("434");
              admit(present);
              const share = quotaShare(size, player, present);
              const quotaAbout = stryMutAct_9fa48("435") ? {} : (stryCov_9fa48("435"), {
                stream: quotaStream(place.bucket),
                game: place.game
              });
              const confirmed = confirmUpload(stryMutAct_9fa48("436") ? {} : (stryCov_9fa48("436"), {
                upload: id,
                size,
                ...share
              }), limits);
              await deps.handler.handle(quota, quotaAbout, partOf(context, stryMutAct_9fa48("437") ? `` : (stryCov_9fa48("437"), `confirm ${attempt}`)), confirmed);
            }
          }
          try {
            if (stryMutAct_9fa48("438")) {
              {}
            } else {
              stryCov_9fa48("438");
              const decision = storeFile(stryMutAct_9fa48("439") ? {} : (stryCov_9fa48("439"), {
                ...fresh,
                creator: player
              }), stryMutAct_9fa48("440") ? at.current?.upload && null : (stryCov_9fa48("440"), (stryMutAct_9fa48("441") ? at.current.upload : (stryCov_9fa48("441"), at.current?.upload)) ?? null), admit);
              const handled = await deps.handler.handle(file, about, partOf(context, stryMutAct_9fa48("442") ? `` : (stryCov_9fa48("442"), `store ${attempt}`)), decision);
              const [event] = handled.events;
              if (stryMutAct_9fa48("445") ? event !== undefined : stryMutAct_9fa48("444") ? false : stryMutAct_9fa48("443") ? true : (stryCov_9fa48("443", "444", "445"), event === undefined)) return await storedBefore(deps, about.stream, id);
              if (stryMutAct_9fa48("448") ? event.type !== 'FileStored' || event.type !== 'FileOverwritten' : stryMutAct_9fa48("447") ? false : stryMutAct_9fa48("446") ? true : (stryCov_9fa48("446", "447", "448"), (stryMutAct_9fa48("450") ? event.type === 'FileStored' : stryMutAct_9fa48("449") ? true : (stryCov_9fa48("449", "450"), event.type !== (stryMutAct_9fa48("451") ? "" : (stryCov_9fa48("451"), 'FileStored')))) && (stryMutAct_9fa48("453") ? event.type === 'FileOverwritten' : stryMutAct_9fa48("452") ? true : (stryCov_9fa48("452", "453"), event.type !== (stryMutAct_9fa48("454") ? "" : (stryCov_9fa48("454"), 'FileOverwritten')))))) throw new Error(stryMutAct_9fa48("455") ? `` : (stryCov_9fa48("455"), `${event.type} stores nothing`));
              return stryMutAct_9fa48("456") ? {} : (stryCov_9fa48("456"), {
                version: handled.after.current as FileVersion,
                replaced: event.data.replaced
              });
            }
          } catch (why) {
            if (stryMutAct_9fa48("457")) {
              {}
            } else {
              stryCov_9fa48("457");
              if (stryMutAct_9fa48("460") ? !(why instanceof FileMoved) && attempt === TRIES : stryMutAct_9fa48("459") ? false : stryMutAct_9fa48("458") ? true : (stryCov_9fa48("458", "459", "460"), (stryMutAct_9fa48("461") ? why instanceof FileMoved : (stryCov_9fa48("461"), !(why instanceof FileMoved))) || (stryMutAct_9fa48("463") ? attempt !== TRIES : stryMutAct_9fa48("462") ? false : (stryCov_9fa48("462", "463"), attempt === TRIES)))) throw why;
            }
          }
        }
      }
    }
  }
}

/** The version that an upload became, though another may stand by now. */
async function storedBefore(deps: CommandDeps, stream: string, id: string): Promise<StoredVersion> {
  if (stryMutAct_9fa48("464")) {
    {}
  } else {
    stryCov_9fa48("464");
    let state = file.initial;
    for await (const event of eventsFrom(deps.log, stream)) {
      if (stryMutAct_9fa48("465")) {
        {}
      } else {
        stryCov_9fa48("465");
        const {
          data
        } = event;
        state = file.evolve(state, unsafeCast<FileEvent>(event), momentOf(event));
        if (stryMutAct_9fa48("468") ? data.upload !== id && state.current?.upload !== id : stryMutAct_9fa48("467") ? false : stryMutAct_9fa48("466") ? true : (stryCov_9fa48("466", "467", "468"), (stryMutAct_9fa48("470") ? data.upload === id : stryMutAct_9fa48("469") ? false : (stryCov_9fa48("469", "470"), data.upload !== id)) || (stryMutAct_9fa48("472") ? state.current?.upload === id : stryMutAct_9fa48("471") ? false : (stryCov_9fa48("471", "472"), (stryMutAct_9fa48("473") ? state.current.upload : (stryCov_9fa48("473"), state.current?.upload)) !== id)))) continue;
        return stryMutAct_9fa48("474") ? {} : (stryCov_9fa48("474"), {
          version: state.current,
          replaced: data.replaced as Replaced | null
        });
      }
    }
    throw new Error(stryMutAct_9fa48("475") ? `` : (stryCov_9fa48("475"), `${stream} never took upload ${id}`));
  }
}

/** Turns what was reserved for an upload into what its file holds. Once only, however often it is called. */
async function settle(deps: CommandDeps, {
  bucket,
  game
}: BucketPlace, {
  upload: id,
  version,
  replaced
}: StoredVersion & {
  readonly upload: string;
}, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("476")) {
    {}
  } else {
    stryCov_9fa48("476");
    const held = stryMutAct_9fa48("477") ? {} : (stryCov_9fa48("477"), {
      owner: version.creator,
      bytes: version.size,
      files: 1
    });
    const freed: Share | null = (stryMutAct_9fa48("480") ? replaced !== null : stryMutAct_9fa48("479") ? false : stryMutAct_9fa48("478") ? true : (stryCov_9fa48("478", "479", "480"), replaced === null)) ? null : stryMutAct_9fa48("481") ? {} : (stryCov_9fa48("481"), {
      owner: replaced.creator,
      bytes: replaced.size,
      files: 1
    });
    const about = stryMutAct_9fa48("482") ? {} : (stryCov_9fa48("482"), {
      stream: quotaStream(bucket),
      game
    });
    await deps.handler.handle(quota, about, partOf(context, stryMutAct_9fa48("483") ? `` : (stryCov_9fa48("483"), `settle ${id}`)), settleUpload(id, held, freed));
  }
}

/** What a call that completed an upload did not come to. Harmless where it did. */
export async function finish(deps: CommandDeps, place: BucketPlace, {
  stream,
  stored: {
    upload: id
  }
}: {
  readonly stream: string;
  readonly stored: FileStoredData | FileOverwrittenData;
}, context: CommandContext): Promise<FileVersion> {
  if (stryMutAct_9fa48("484")) {
    {}
  } else {
    stryCov_9fa48("484");
    const stored = await storedBefore(deps, stream, id);
    await settle(deps, place, stryMutAct_9fa48("485") ? {} : (stryCov_9fa48("485"), {
      upload: id,
      ...stored
    }), context);
    const {
      id: fileId,
      creator,
      created,
      updated
    } = stored.version;
    const about = stryMutAct_9fa48("486") ? {} : (stryCov_9fa48("486"), {
      stream: uploadStream(id),
      game: place.game
    });
    const decision = finishUpload(stryMutAct_9fa48("487") ? {} : (stryCov_9fa48("487"), {
      file: fileId,
      creator,
      created,
      updated
    }));
    await deps.handler.handle(upload, about, partOf(context, stryMutAct_9fa48("488") ? "" : (stryCov_9fa48("488"), 'complete')), decision);
    return stored.version;
  }
}

/** Abandons an upload on the stream of its file, or finishes it where it became a file before. */
async function isFinished(deps: CommandDeps, place: BucketPlace, id: string, path: string, context: CommandContext) {
  if (stryMutAct_9fa48("489")) {
    {}
  } else {
    stryCov_9fa48("489");
    const {
      bucket,
      game
    } = place;
    const stream = fileStream(bucket, pathKey(deps.keys.digest, bucket, path));
    await deps.handler.handle(file, stryMutAct_9fa48("490") ? {} : (stryCov_9fa48("490"), {
      stream,
      game
    }), partOf(context, stryMutAct_9fa48("491") ? "" : (stryCov_9fa48("491"), 'abandon')), abandonUpload(id));
    // From here on it cannot be stored any more: what the stream says of it now is all it will ever say.
    for await (const {
      type,
      data
    } of eventsFrom(deps.log, stream)) {
      if (stryMutAct_9fa48("492")) {
        {}
      } else {
        stryCov_9fa48("492");
        if (stryMutAct_9fa48("495") ? data.upload !== id && type !== 'FileStored' && type !== 'FileOverwritten' : stryMutAct_9fa48("494") ? false : stryMutAct_9fa48("493") ? true : (stryCov_9fa48("493", "494", "495"), (stryMutAct_9fa48("497") ? data.upload === id : stryMutAct_9fa48("496") ? false : (stryCov_9fa48("496", "497"), data.upload !== id)) || (stryMutAct_9fa48("499") ? type !== 'FileStored' || type !== 'FileOverwritten' : stryMutAct_9fa48("498") ? false : (stryCov_9fa48("498", "499"), (stryMutAct_9fa48("501") ? type === 'FileStored' : stryMutAct_9fa48("500") ? true : (stryCov_9fa48("500", "501"), type !== (stryMutAct_9fa48("502") ? "" : (stryCov_9fa48("502"), 'FileStored')))) && (stryMutAct_9fa48("504") ? type === 'FileOverwritten' : stryMutAct_9fa48("503") ? true : (stryCov_9fa48("503", "504"), type !== (stryMutAct_9fa48("505") ? "" : (stryCov_9fa48("505"), 'FileOverwritten')))))))) continue;
        await finish(deps, place, stryMutAct_9fa48("506") ? {} : (stryCov_9fa48("506"), {
          stream,
          stored: unsafeCast<FileStoredData>(data)
        }), context);
        return stryMutAct_9fa48("507") ? false : (stryCov_9fa48("507"), true);
      }
    }
    return stryMutAct_9fa48("508") ? true : (stryCov_9fa48("508"), false);
  }
}

/**
 * Ends an upload whose time is over and frees what it reserved; one that became a file meanwhile is finished instead.
 */
export async function expire(deps: CommandDeps, place: BucketPlace, id: string, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("509")) {
    {}
  } else {
    stryCov_9fa48("509");
    const {
      bucket,
      game
    } = place;
    const state = await loadState(deps, upload, uploadStream(id));
    if (stryMutAct_9fa48("512") ? state !== null || state !== 'gone' : stryMutAct_9fa48("511") ? false : stryMutAct_9fa48("510") ? true : (stryCov_9fa48("510", "511", "512"), (stryMutAct_9fa48("514") ? state === null : stryMutAct_9fa48("513") ? true : (stryCov_9fa48("513", "514"), state !== null)) && (stryMutAct_9fa48("516") ? state === 'gone' : stryMutAct_9fa48("515") ? true : (stryCov_9fa48("515", "516"), state !== (stryMutAct_9fa48("517") ? "" : (stryCov_9fa48("517"), 'gone')))))) {
      if (stryMutAct_9fa48("518")) {
        {}
      } else {
        stryCov_9fa48("518");
        // Begun again by a repeated call, it has longer than its room was first reserved for.
        if (stryMutAct_9fa48("522") ? context.nowMs >= Date.parse(state.expires) : stryMutAct_9fa48("521") ? context.nowMs <= Date.parse(state.expires) : stryMutAct_9fa48("520") ? false : stryMutAct_9fa48("519") ? true : (stryCov_9fa48("519", "520", "521", "522"), context.nowMs < Date.parse(state.expires))) return;
        // Without a path nobody can complete it: its player was deleted.
        if (stryMutAct_9fa48("525") ? state.path !== null || (await isFinished(deps, place, id, state.path, context)) : stryMutAct_9fa48("524") ? false : stryMutAct_9fa48("523") ? true : (stryCov_9fa48("523", "524", "525"), (stryMutAct_9fa48("527") ? state.path === null : stryMutAct_9fa48("526") ? true : (stryCov_9fa48("526", "527"), state.path !== null)) && (await isFinished(deps, place, id, state.path, context)))) return;
      }
    }
    await deps.handler.handle(upload, stryMutAct_9fa48("528") ? {} : (stryCov_9fa48("528"), {
      stream: uploadStream(id),
      game
    }), partOf(context, stryMutAct_9fa48("529") ? "" : (stryCov_9fa48("529"), 'expire')), expireUpload);
    const about = stryMutAct_9fa48("530") ? {} : (stryCov_9fa48("530"), {
      stream: quotaStream(bucket),
      game
    });
    await deps.handler.handle(quota, about, partOf(context, stryMutAct_9fa48("531") ? "" : (stryCov_9fa48("531"), 'release')), releaseUpload(id));
  }
}