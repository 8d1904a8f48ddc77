// Uploads: begun with a link and room reserved for them, bytes stored by the store's own door, completed into a file.
// The file's stream decides; its quota and the upload follow, by the call or, after a crash, by a process
// (finish-upload.ts).
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
import { Refusal } from '../domain/decider.ts';
import { unsafeCast } from '../domain/event.ts';
import { contentTypeOf, type FileVersion, file, fileStream, presentIn } from '../domain/file.ts';
import { quota, quotaStream } from '../domain/quota.ts';
import type { Share } from '../domain/quota-state.ts';
import { beginUpload } from '../domain/reserve.ts';
import { nothingThere } from '../domain/rules.ts';
import { checkBytes, isLive, type NamedUpload, openUpload, refuseBytes, storeBytes, UPLOAD_LIFETIME_MS, type Upload, type UploadOpenedData, upload, isOpen as uploadIsOpen, uploadStream } from '../domain/upload.ts';
import { FilesFull, type Stored, type UploadLink } from '../stores/contract/files.ts';
import type { BucketPlace } from './bucket.ts';
import type { CommandContext, CommitPosition } from './command-context.ts';
import type { CommandDeps, FileCommandDeps } from './command-deps.ts';
import { gameOf, loadState } from './load-state.ts';
import { partOf } from './part-of.ts';
export interface NewUpload {
  readonly path: string;
  /** Id of the folder that contains the path. */
  readonly folder: string;
  readonly size: number;
  readonly contentType: string;
  readonly sha256: string | null;
  readonly player: string | null;
}
export interface BegunUpload {
  readonly id: string;
  readonly link: UploadLink;
  readonly expiresMs: number;
  readonly written: CommitPosition | null;
  readonly replayed: boolean;
}
export interface WantedUpload {
  readonly fresh: NewUpload;
  readonly limits: BucketLimits;
  /** Called with the file that it would be a new version of, or null; throws where that is not allowed. */
  admit(present: FileVersion | null): void;
}

/**
 * A link for bytes that will be a file. Rejects with FilesFull, 422 `file_too_large`, 422 `quota_exceeded`; nothing is reserved
 * then.
 */
export async function begin(deps: FileCommandDeps, place: BucketPlace, wanted: WantedUpload, context: CommandContext): Promise<BegunUpload> {
  if (stryMutAct_9fa48("2086")) {
    {}
  } else {
    stryCov_9fa48("2086");
    const id = context.generator.id(stryMutAct_9fa48("2087") ? "" : (stryCov_9fa48("2087"), 'upload'));
    const about = stryMutAct_9fa48("2088") ? {} : (stryCov_9fa48("2088"), {
      stream: uploadStream(id),
      game: place.game
    });
    // A repeated call is answered from the upload's own stream: what it reserved may have
    // become a file since, or expired.
    const now = (stryMutAct_9fa48("2091") ? context.call !== null : stryMutAct_9fa48("2090") ? false : stryMutAct_9fa48("2089") ? true : (stryCov_9fa48("2089", "2090", "2091"), context.call === null)) ? null : await loadState(deps, upload, about.stream);
    const before = (stryMutAct_9fa48("2094") ? now !== 'gone' : stryMutAct_9fa48("2093") ? false : stryMutAct_9fa48("2092") ? true : (stryCov_9fa48("2092", "2093", "2094"), now === (stryMutAct_9fa48("2095") ? "" : (stryCov_9fa48("2095"), 'gone')))) ? await openedAs(deps, about.stream) : now;
    const reservation = (stryMutAct_9fa48("2098") ? before !== null : stryMutAct_9fa48("2097") ? false : stryMutAct_9fa48("2096") ? true : (stryCov_9fa48("2096", "2097", "2098"), before === null)) ? await reserved(deps, place, wanted, context) : null;
    const opened = stryMutAct_9fa48("2099") ? reservation?.wanted && before as UploadOpenedData : (stryCov_9fa48("2099"), (stryMutAct_9fa48("2100") ? reservation.wanted : (stryCov_9fa48("2100"), reservation?.wanted)) ?? before as UploadOpenedData);
    const {
      path,
      size,
      sha256,
      blob,
      player,
      expires
    } = opened;
    const contentType = contentTypeOf(opened);
    const expiresMs = Date.parse(expires);
    const link = stryMutAct_9fa48("2101") ? reservation?.link && (await deps.files.uploadLink(id, {
      blob,
      size,
      contentType,
      sha256
    }, expiresMs)) : (stryCov_9fa48("2101"), (stryMutAct_9fa48("2102") ? reservation.link : (stryCov_9fa48("2102"), reservation?.link)) ?? (await deps.files.uploadLink(id, stryMutAct_9fa48("2103") ? {} : (stryCov_9fa48("2103"), {
      blob,
      size,
      contentType,
      sha256
    }), expiresMs)));
    const data = stryMutAct_9fa48("2104") ? {} : (stryCov_9fa48("2104"), {
      bucket: place.bucket,
      path,
      size,
      contentType,
      sha256,
      blob,
      player,
      expires
    });
    const {
      written,
      replayed
    } = await deps.handler.handle(upload, about, context, openUpload(data));
    return stryMutAct_9fa48("2105") ? {} : (stryCov_9fa48("2105"), {
      id,
      link,
      expiresMs,
      written,
      replayed
    });
  }
}

/** What an upload was opened as, also one that is gone; null where it never was. */
async function openedAs({
  log
}: CommandDeps, stream: string): Promise<UploadOpenedData | null> {
  if (stryMutAct_9fa48("2106")) {
    {}
  } else {
    stryCov_9fa48("2106");
    const [first] = await log.readStream(stream, 0, 1);
    return (stryMutAct_9fa48("2109") ? first?.type !== 'UploadOpened' : stryMutAct_9fa48("2108") ? false : stryMutAct_9fa48("2107") ? true : (stryCov_9fa48("2107", "2108", "2109"), (stryMutAct_9fa48("2110") ? first.type : (stryCov_9fa48("2110"), first?.type)) === (stryMutAct_9fa48("2111") ? "" : (stryCov_9fa48("2111"), 'UploadOpened')))) ? unsafeCast<UploadOpenedData>(first.data) : null;
  }
}
async function reserved(deps: FileCommandDeps, place: BucketPlace, {
  fresh,
  limits,
  admit
}: WantedUpload, context: CommandContext) {
  if (stryMutAct_9fa48("2112")) {
    {}
  } else {
    stryCov_9fa48("2112");
    const {
      path,
      folder,
      size,
      contentType,
      sha256,
      player
    } = fresh;
    const id = context.generator.id(stryMutAct_9fa48("2113") ? "" : (stryCov_9fa48("2113"), 'upload'));
    const blob = context.generator.id(stryMutAct_9fa48("2114") ? "" : (stryCov_9fa48("2114"), 'blob'));
    const expiresMs = stryMutAct_9fa48("2115") ? context.nowMs - UPLOAD_LIFETIME_MS : (stryCov_9fa48("2115"), context.nowMs + UPLOAD_LIFETIME_MS);
    const expires = new Date(expiresMs).toISOString();
    const at = await loadState(deps, file, fileStream(place.bucket, pathKey(deps.keys.digest, place.bucket, path)));
    const present = presentIn(at, folder);
    admit(present);
    const reservation = stryMutAct_9fa48("2116") ? {} : (stryCov_9fa48("2116"), {
      upload: id,
      size,
      expires,
      ...quotaShare(size, player, present)
    });
    const about = stryMutAct_9fa48("2117") ? {} : (stryCov_9fa48("2117"), {
      stream: quotaStream(place.bucket),
      game: place.game
    });
    // Asked before anything is reserved: a store without room refuses here.
    const link = await deps.files.uploadLink(id, stryMutAct_9fa48("2118") ? {} : (stryCov_9fa48("2118"), {
      blob,
      size,
      contentType,
      sha256
    }), expiresMs).catch(async (error: unknown) => {
      if (stryMutAct_9fa48("2119")) {
        {}
      } else {
        stryCov_9fa48("2119");
        // What the bucket has no room for is refused for that reason, whatever room the store has.
        if (stryMutAct_9fa48("2121") ? false : stryMutAct_9fa48("2120") ? true : (stryCov_9fa48("2120", "2121"), error instanceof FilesFull)) beginUpload(reservation, limits)(await loadState(deps, quota, about.stream), stryMutAct_9fa48("2122") ? +1 : (stryCov_9fa48("2122"), -1));
        throw error;
      }
    });
    await deps.handler.handle(quota, about, partOf(context, stryMutAct_9fa48("2123") ? "" : (stryCov_9fa48("2123"), 'begin')), beginUpload(reservation, limits));
    return stryMutAct_9fa48("2124") ? {} : (stryCov_9fa48("2124"), {
      wanted: stryMutAct_9fa48("2125") ? {} : (stryCov_9fa48("2125"), {
        path,
        size,
        contentType,
        sha256,
        blob,
        player,
        expires
      }),
      link
    });
  }
}

/** The bytes an upload adds: a file counts against its creator, also when another player overwrites it. */
export function quotaShare(size: number, player: string | null, present: FileVersion | null): Share {
  if (stryMutAct_9fa48("2126")) {
    {}
  } else {
    stryCov_9fa48("2126");
    if (stryMutAct_9fa48("2129") ? present !== null : stryMutAct_9fa48("2128") ? false : stryMutAct_9fa48("2127") ? true : (stryCov_9fa48("2127", "2128", "2129"), present === null)) return stryMutAct_9fa48("2130") ? {} : (stryCov_9fa48("2130"), {
      owner: player,
      bytes: size,
      files: 1
    });
    return stryMutAct_9fa48("2131") ? {} : (stryCov_9fa48("2131"), {
      owner: present.creator,
      bytes: stryMutAct_9fa48("2132") ? Math.min(0, size - present.size) : (stryCov_9fa48("2132"), Math.max(0, stryMutAct_9fa48("2133") ? size + present.size : (stryCov_9fa48("2133"), size - present.size))),
      files: 0
    });
  }
}

/** The upload of a bucket as its stream has it now. 404 for one that is not there, or no longer. */
export async function findUpload(deps: CommandDeps, bucket: string, id: string, nowMs: number): Promise<NamedUpload> {
  if (stryMutAct_9fa48("2134")) {
    {}
  } else {
    stryCov_9fa48("2134");
    const state = await loadState(deps, upload, uploadStream(id));
    if (stryMutAct_9fa48("2137") ? (!isLive(state, nowMs) || state.bucket !== bucket) && state.path === null : stryMutAct_9fa48("2136") ? false : stryMutAct_9fa48("2135") ? true : (stryCov_9fa48("2135", "2136", "2137"), (stryMutAct_9fa48("2139") ? !isLive(state, nowMs) && state.bucket !== bucket : stryMutAct_9fa48("2138") ? false : (stryCov_9fa48("2138", "2139"), (stryMutAct_9fa48("2140") ? isLive(state, nowMs) : (stryCov_9fa48("2140"), !isLive(state, nowMs))) || (stryMutAct_9fa48("2142") ? state.bucket === bucket : stryMutAct_9fa48("2141") ? false : (stryCov_9fa48("2141", "2142"), state.bucket !== bucket)))) || (stryMutAct_9fa48("2144") ? state.path !== null : stryMutAct_9fa48("2143") ? false : (stryCov_9fa48("2143", "2144"), state.path === null)))) throw nothingThere();
    return stryMutAct_9fa48("2145") ? {} : (stryCov_9fa48("2145"), {
      ...state,
      path: state.path,
      contentType: contentTypeOf(state)
    });
  }
}

/**
 * Whether an upload's link takes bytes now (`nowMs`, Unix milliseconds): for the door of a store, before it takes any.
 */
export async function isOpen(deps: CommandDeps, id: string, nowMs: number): Promise<boolean> {
  if (stryMutAct_9fa48("2146")) {
    {}
  } else {
    stryCov_9fa48("2146");
    return uploadIsOpen(await loadState(deps, upload, uploadStream(id)), nowMs);
  }
}

/**
 * Records that an upload's bytes are there, durably: for the door of a store, before it answers. From then on the link
 * is dead. Refusals, after which the bytes are nobody's: 404 `not_found` where the upload is not open any more (used,
 * expired, completed), 400 `size_mismatch`, 422 `checksum_mismatch`. 503 `log_unavailable`: unknown; the bytes stay,
 * and completing or sending them again is safe.
 */
export async function bytesStored(deps: CommandDeps, id: string, stored: Stored, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("2147")) {
    {}
  } else {
    stryCov_9fa48("2147");
    await recordBytes(deps, id, stored, stryMutAct_9fa48("2148") ? true : (stryCov_9fa48("2148"), false), context);
  }
}

/**
 * For a store that has no door of ours, and after a crash: looks whether the bytes are there. 409 `upload_incomplete`,
 * 400 `size_mismatch`, 422 `checksum_mismatch`. What was refused once is remembered: such a store keeps it, and may
 * have to read all of it to tell its checksum.
 */
export async function findBytes(deps: FileCommandDeps, id: string, state: Upload, context: CommandContext): Promise<void> {
  if (stryMutAct_9fa48("2149")) {
    {}
  } else {
    stryCov_9fa48("2149");
    if (stryMutAct_9fa48("2152") ? state.isStored && state.completed !== null : stryMutAct_9fa48("2151") ? false : stryMutAct_9fa48("2150") ? true : (stryCov_9fa48("2150", "2151", "2152"), state.isStored || (stryMutAct_9fa48("2154") ? state.completed === null : stryMutAct_9fa48("2153") ? false : (stryCov_9fa48("2153", "2154"), state.completed !== null)))) return;
    if (stryMutAct_9fa48("2157") ? state.refused === null : stryMutAct_9fa48("2156") ? false : stryMutAct_9fa48("2155") ? true : (stryCov_9fa48("2155", "2156", "2157"), state.refused !== null)) checkBytes(state, state.refused);
    const stored = await deps.files.stored(state.blob, stryMutAct_9fa48("2160") ? state.sha256 === null : stryMutAct_9fa48("2159") ? false : stryMutAct_9fa48("2158") ? true : (stryCov_9fa48("2158", "2159", "2160"), state.sha256 !== null));
    if (stryMutAct_9fa48("2163") ? stored !== null : stryMutAct_9fa48("2162") ? false : stryMutAct_9fa48("2161") ? true : (stryCov_9fa48("2161", "2162", "2163"), stored === null)) {
      if (stryMutAct_9fa48("2164")) {
        {}
      } else {
        stryCov_9fa48("2164");
        const detail = stryMutAct_9fa48("2165") ? "" : (stryCov_9fa48("2165"), 'The bytes are not there yet: send them to the upload’s link first.');
        throw new Refusal(stryMutAct_9fa48("2166") ? "" : (stryCov_9fa48("2166"), 'conflict'), stryMutAct_9fa48("2167") ? "" : (stryCov_9fa48("2167"), 'upload_incomplete'), detail);
      }
    }
    try {
      if (stryMutAct_9fa48("2168")) {
        {}
      } else {
        stryCov_9fa48("2168");
        checkBytes(state, stored);
      }
    } catch (why) {
      if (stryMutAct_9fa48("2169")) {
        {}
      } else {
        stryCov_9fa48("2169");
        const about = stryMutAct_9fa48("2170") ? {} : (stryCov_9fa48("2170"), {
          stream: uploadStream(id),
          game: await gameOf(deps, uploadStream(id))
        });
        const facts = stryMutAct_9fa48("2171") ? {} : (stryCov_9fa48("2171"), {
          size: stored.size,
          sha256: stored.sha256
        });
        await deps.handler.handle(upload, about, partOf(context, stryMutAct_9fa48("2172") ? "" : (stryCov_9fa48("2172"), 'refused')), refuseBytes(facts, context.nowMs));
        throw why;
      }
    }
    await recordBytes(deps, id, stored, stryMutAct_9fa48("2173") ? false : (stryCov_9fa48("2173"), true), context);
  }
}
async function recordBytes(deps: CommandDeps, id: string, {
  size,
  sha256
}: Stored, again: boolean, context: CommandContext) {
  if (stryMutAct_9fa48("2174")) {
    {}
  } else {
    stryCov_9fa48("2174");
    const stream = uploadStream(id);
    const game = await gameOf(deps, stream);
    if (stryMutAct_9fa48("2177") ? game !== null : stryMutAct_9fa48("2176") ? false : stryMutAct_9fa48("2175") ? true : (stryCov_9fa48("2175", "2176", "2177"), game === null)) throw nothingThere();
    const decision = storeBytes(stryMutAct_9fa48("2178") ? {} : (stryCov_9fa48("2178"), {
      size,
      sha256
    }), context.nowMs, again);
    await deps.handler.handle(upload, stryMutAct_9fa48("2179") ? {} : (stryCov_9fa48("2179"), {
      stream,
      game
    }), partOf(context, stryMutAct_9fa48("2180") ? "" : (stryCov_9fa48("2180"), 'bytes')), decision);
  }
}