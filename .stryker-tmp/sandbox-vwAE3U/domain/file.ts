// A file: one stream per path, so that no two have one path. Each version stores its bytes under a blob id of its own.
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
import { nothingThere } from './rules.ts';
import { streamName } from './streams.ts';

/** `key` stands for the path: a keyed hash of it. */
export const fileStream = stryMutAct_9fa48("2808") ? () => undefined : (stryCov_9fa48("2808"), (() => {
  const fileStream = (bucket: string, key: string): string => streamName(stryMutAct_9fa48("2809") ? "" : (stryCov_9fa48("2809"), 'file-'), bucket, key);
  return fileStream;
})());

/** A version that is no longer the file's: its blob goes, and what it held is free. */
export type Replaced = {
  readonly upload: string;
  readonly blob: string;
  readonly size: number;
  readonly creator: string | null;
};

/** Of an upload that names none, and of a file whose own cannot be read any more. */
export const DEFAULT_CONTENT_TYPE = stryMutAct_9fa48("2810") ? "" : (stryCov_9fa48("2810"), 'application/octet-stream');

/** As it is answered: the default where the text was erased with its player. */
export const contentTypeOf = stryMutAct_9fa48("2811") ? () => undefined : (stryCov_9fa48("2811"), (() => {
  const contentTypeOf = ({
    contentType
  }: {
    readonly contentType: string | null;
  }): string => stryMutAct_9fa48("2812") ? contentType && DEFAULT_CONTENT_TYPE : (stryCov_9fa48("2812"), contentType ?? DEFAULT_CONTENT_TYPE);
  return contentTypeOf;
})());
type Content = {
  readonly size: number;
  /** Sealed in the log where a player made the file; null once that player is deleted. */
  readonly contentType: string | null;
  /** Hex, lower case; null where the uploader gave none. */
  readonly sha256: string | null;
  readonly blob: string;
  /** The upload that brought it. */
  readonly upload: string;
};
type Location = {
  /** Sealed in the log where a player made the file; null once that player is deleted. */
  readonly path: string | null;
  /** Id and key of the folder that holds it. */
  readonly folder: string;
  readonly folderKey: string;
};
export type FileStoredData = Content & Location & {
  readonly id: string;
  /** Null for the tenant. It counts against the creator. */
  readonly creator: string | null;
  /** What lay at this path in a folder that is gone, where it was not cleared away yet. */
  readonly replaced: Replaced | null;
};
export type FileOverwrittenData = Content & {
  readonly replaced: Replaced;
};
export type FileDeletedData = Replaced & {
  readonly id: string;
  readonly folder: string;
  readonly folderKey: string;
  /** By which what it held is freed once only. */
  readonly deletion: string;
};
export type FileEvent = {
  readonly type: 'FileStored';
  readonly data: FileStoredData;
} | {
  readonly type: 'FileOverwritten';
  readonly data: FileOverwrittenData;
} | {
  readonly type: 'FileDeleted';
  readonly data: FileDeletedData;
}
/** An upload that will never be stored here: decided on this stream, so that it cannot be stored meanwhile. */ | {
  readonly type: 'UploadAbandoned';
  readonly data: {
    readonly upload: string;
  };
};
export type FileVersion = Content & Location & {
  readonly id: string;
  readonly creator: string | null;
  readonly created: string;
  readonly updated: string;
};
interface PastUpload {
  readonly upload: string;
  readonly time: string;
  readonly isStored: boolean;
}

/** What is at a path. Whether its folder still stands is not known here. */
export interface FileAt {
  readonly current: FileVersion | null;
  /** What became of the uploads of the last hours, oldest first. */
  readonly past: readonly PastUpload[];
}

/** Longer than any upload takes from its beginning to its end. */
const REMEMBERED_MS = stryMutAct_9fa48("2813") ? 2 * 60 * 60 / 1000 : (stryCov_9fa48("2813"), (stryMutAct_9fa48("2814") ? 2 * 60 / 60 : (stryCov_9fa48("2814"), (stryMutAct_9fa48("2815") ? 2 / 60 : (stryCov_9fa48("2815"), 2 * 60)) * 60)) * 1000);
export const file: Aggregate<FileAt, FileEvent> = stryMutAct_9fa48("2816") ? {} : (stryCov_9fa48("2816"), {
  name: stryMutAct_9fa48("2817") ? "" : (stryCov_9fa48("2817"), 'file'),
  initial: stryMutAct_9fa48("2818") ? {} : (stryCov_9fa48("2818"), {
    current: null,
    past: stryMutAct_9fa48("2819") ? ["Stryker was here"] : (stryCov_9fa48("2819"), [])
  }),
  evolve(state, event, {
    time
  }) {
    if (stryMutAct_9fa48("2820")) {
      {}
    } else {
      stryCov_9fa48("2820");
      switch (event.type) {
        case stryMutAct_9fa48("2822") ? "" : (stryCov_9fa48("2822"), 'FileStored'):
          if (stryMutAct_9fa48("2821")) {} else {
            stryCov_9fa48("2821");
            {
              if (stryMutAct_9fa48("2823")) {
                {}
              } else {
                stryCov_9fa48("2823");
                const {
                  replaced: _,
                  ...stored
                } = event.data;
                const current = stryMutAct_9fa48("2824") ? {} : (stryCov_9fa48("2824"), {
                  ...stored,
                  created: time,
                  updated: time
                });
                return stryMutAct_9fa48("2825") ? {} : (stryCov_9fa48("2825"), {
                  current,
                  past: noted(state.past, event.data.upload, time, stryMutAct_9fa48("2826") ? false : (stryCov_9fa48("2826"), true))
                });
              }
            }
          }
        case stryMutAct_9fa48("2828") ? "" : (stryCov_9fa48("2828"), 'FileOverwritten'):
          if (stryMutAct_9fa48("2827")) {} else {
            stryCov_9fa48("2827");
            {
              if (stryMutAct_9fa48("2829")) {
                {}
              } else {
                stryCov_9fa48("2829");
                if (stryMutAct_9fa48("2832") ? state.current !== null : stryMutAct_9fa48("2831") ? false : stryMutAct_9fa48("2830") ? true : (stryCov_9fa48("2830", "2831", "2832"), state.current === null)) return state;
                const {
                  replaced: _,
                  ...content
                } = event.data;
                const current = stryMutAct_9fa48("2833") ? {} : (stryCov_9fa48("2833"), {
                  ...state.current,
                  ...content,
                  updated: time
                });
                return stryMutAct_9fa48("2834") ? {} : (stryCov_9fa48("2834"), {
                  current,
                  past: noted(state.past, event.data.upload, time, stryMutAct_9fa48("2835") ? false : (stryCov_9fa48("2835"), true))
                });
              }
            }
          }
        case stryMutAct_9fa48("2837") ? "" : (stryCov_9fa48("2837"), 'FileDeleted'):
          if (stryMutAct_9fa48("2836")) {} else {
            stryCov_9fa48("2836");
            return stryMutAct_9fa48("2838") ? {} : (stryCov_9fa48("2838"), {
              ...state,
              current: null
            });
          }
        case stryMutAct_9fa48("2840") ? "" : (stryCov_9fa48("2840"), 'UploadAbandoned'):
          if (stryMutAct_9fa48("2839")) {} else {
            stryCov_9fa48("2839");
            return stryMutAct_9fa48("2841") ? {} : (stryCov_9fa48("2841"), {
              ...state,
              past: noted(state.past, event.data.upload, time, stryMutAct_9fa48("2842") ? true : (stryCov_9fa48("2842"), false))
            });
          }
        default:
          if (stryMutAct_9fa48("2843")) {} else {
            stryCov_9fa48("2843");
            return state;
          }
      }
    }
  }
});
function noted(past: readonly PastUpload[], upload: string, time: string, isStored: boolean): readonly PastUpload[] {
  if (stryMutAct_9fa48("2844")) {
    {}
  } else {
    stryCov_9fa48("2844");
    const since = stryMutAct_9fa48("2845") ? Date.parse(time) + REMEMBERED_MS : (stryCov_9fa48("2845"), Date.parse(time) - REMEMBERED_MS);
    return stryMutAct_9fa48("2846") ? [] : (stryCov_9fa48("2846"), [...(stryMutAct_9fa48("2847") ? past : (stryCov_9fa48("2847"), past.filter(stryMutAct_9fa48("2848") ? () => undefined : (stryCov_9fa48("2848"), one => stryMutAct_9fa48("2852") ? Date.parse(one.time) < since : stryMutAct_9fa48("2851") ? Date.parse(one.time) > since : stryMutAct_9fa48("2850") ? false : stryMutAct_9fa48("2849") ? true : (stryCov_9fa48("2849", "2850", "2851", "2852"), Date.parse(one.time) >= since))))), stryMutAct_9fa48("2853") ? {} : (stryCov_9fa48("2853"), {
      upload,
      time,
      isStored
    })]);
  }
}

/** The file as seen through this folder; a file that belongs to another folder of this path is not there. */
export function presentIn(state: FileAt, folder: string): FileVersion | null {
  if (stryMutAct_9fa48("2854")) {
    {}
  } else {
    stryCov_9fa48("2854");
    return (stryMutAct_9fa48("2857") ? state.current?.folder !== folder : stryMutAct_9fa48("2856") ? false : stryMutAct_9fa48("2855") ? true : (stryCov_9fa48("2855", "2856", "2857"), (stryMutAct_9fa48("2858") ? state.current.folder : (stryCov_9fa48("2858"), state.current?.folder)) === folder)) ? state.current : null;
  }
}

/** What lies at the path is not what was reckoned with: reckon again. */
export class FileMoved extends Error {}
type FreshFile = Content & Location & {
  readonly id: string;
  readonly creator: string | null;
};

/**
 * Stores a new file, or a new version of the one that stands: `admit` is asked which, and throws where that is not
 * allowed. Throws FileMoved unless the version there is that of upload `reckoned` (null: none). Once only for each
 * upload; 404 for one that was abandoned.
 */
export function storeFile(fresh: FreshFile, reckoned: string | null, admit: (present: FileVersion | null) => void): Decision<FileAt, FileEvent> {
  if (stryMutAct_9fa48("2859")) {
    {}
  } else {
    stryCov_9fa48("2859");
    return state => {
      if (stryMutAct_9fa48("2860")) {
        {}
      } else {
        stryCov_9fa48("2860");
        const past = state.past.find(stryMutAct_9fa48("2861") ? () => undefined : (stryCov_9fa48("2861"), ({
          upload
        }) => stryMutAct_9fa48("2864") ? upload !== fresh.upload : stryMutAct_9fa48("2863") ? false : stryMutAct_9fa48("2862") ? true : (stryCov_9fa48("2862", "2863", "2864"), upload === fresh.upload)));
        if (stryMutAct_9fa48("2867") ? past?.isStored !== true : stryMutAct_9fa48("2866") ? false : stryMutAct_9fa48("2865") ? true : (stryCov_9fa48("2865", "2866", "2867"), (stryMutAct_9fa48("2868") ? past.isStored : (stryCov_9fa48("2868"), past?.isStored)) === (stryMutAct_9fa48("2869") ? false : (stryCov_9fa48("2869"), true)))) return stryMutAct_9fa48("2870") ? ["Stryker was here"] : (stryCov_9fa48("2870"), []);
        if (stryMutAct_9fa48("2873") ? past === undefined : stryMutAct_9fa48("2872") ? false : stryMutAct_9fa48("2871") ? true : (stryCov_9fa48("2871", "2872", "2873"), past !== undefined)) throw nothingThere();
        const before = state.current;
        if (stryMutAct_9fa48("2876") ? (before?.upload ?? null) === reckoned : stryMutAct_9fa48("2875") ? false : stryMutAct_9fa48("2874") ? true : (stryCov_9fa48("2874", "2875", "2876"), (stryMutAct_9fa48("2877") ? before?.upload && null : (stryCov_9fa48("2877"), (stryMutAct_9fa48("2878") ? before.upload : (stryCov_9fa48("2878"), before?.upload)) ?? null)) !== reckoned)) throw new FileMoved(stryMutAct_9fa48("2879") ? "" : (stryCov_9fa48("2879"), 'another version lies at the path by now'));
        const present = presentIn(state, fresh.folder);
        admit(present);
        if (stryMutAct_9fa48("2882") ? present !== null : stryMutAct_9fa48("2881") ? false : stryMutAct_9fa48("2880") ? true : (stryCov_9fa48("2880", "2881", "2882"), present === null)) {
          if (stryMutAct_9fa48("2883")) {
            {}
          } else {
            stryCov_9fa48("2883");
            const replaced = (stryMutAct_9fa48("2886") ? before !== null : stryMutAct_9fa48("2885") ? false : stryMutAct_9fa48("2884") ? true : (stryCov_9fa48("2884", "2885", "2886"), before === null)) ? null : replacedOf(before);
            return stryMutAct_9fa48("2887") ? [] : (stryCov_9fa48("2887"), [stryMutAct_9fa48("2888") ? {} : (stryCov_9fa48("2888"), {
              type: stryMutAct_9fa48("2889") ? "" : (stryCov_9fa48("2889"), 'FileStored'),
              data: stryMutAct_9fa48("2890") ? {} : (stryCov_9fa48("2890"), {
                ...fresh,
                replaced
              })
            })]);
          }
        }
        const {
          size,
          contentType,
          sha256,
          blob,
          upload
        } = fresh;
        return stryMutAct_9fa48("2891") ? [] : (stryCov_9fa48("2891"), [stryMutAct_9fa48("2892") ? {} : (stryCov_9fa48("2892"), {
          type: stryMutAct_9fa48("2893") ? "" : (stryCov_9fa48("2893"), 'FileOverwritten'),
          data: stryMutAct_9fa48("2894") ? {} : (stryCov_9fa48("2894"), {
            size,
            contentType,
            sha256,
            blob,
            upload,
            replaced: replacedOf(present)
          })
        })]);
      }
    };
  }
}

/** Deletes the file that stands in a folder; `admit` throws where that is not allowed. 404 where none does. */
export function deleteFile(folder: string, deletion: string, admit: (present: FileVersion) => void): Decision<FileAt, FileEvent> {
  if (stryMutAct_9fa48("2895")) {
    {}
  } else {
    stryCov_9fa48("2895");
    return state => {
      if (stryMutAct_9fa48("2896")) {
        {}
      } else {
        stryCov_9fa48("2896");
        const present = presentIn(state, folder);
        if (stryMutAct_9fa48("2899") ? present !== null : stryMutAct_9fa48("2898") ? false : stryMutAct_9fa48("2897") ? true : (stryCov_9fa48("2897", "2898", "2899"), present === null)) throw nothingThere();
        admit(present);
        const {
          id,
          folderKey
        } = present;
        return stryMutAct_9fa48("2900") ? [] : (stryCov_9fa48("2900"), [stryMutAct_9fa48("2901") ? {} : (stryCov_9fa48("2901"), {
          type: stryMutAct_9fa48("2902") ? "" : (stryCov_9fa48("2902"), 'FileDeleted'),
          data: stryMutAct_9fa48("2903") ? {} : (stryCov_9fa48("2903"), {
            ...replacedOf(present),
            id,
            folder,
            folderKey,
            deletion
          })
        })]);
      }
    };
  }
}

/** From now on the upload cannot be stored here, unless it was already: then nothing follows. */
export function abandonUpload(upload: string): Decision<FileAt, FileEvent> {
  if (stryMutAct_9fa48("2904")) {
    {}
  } else {
    stryCov_9fa48("2904");
    return stryMutAct_9fa48("2905") ? () => undefined : (stryCov_9fa48("2905"), state => (stryMutAct_9fa48("2906") ? state.past.every(one => one.upload === upload) : (stryCov_9fa48("2906"), state.past.some(stryMutAct_9fa48("2907") ? () => undefined : (stryCov_9fa48("2907"), one => stryMutAct_9fa48("2910") ? one.upload !== upload : stryMutAct_9fa48("2909") ? false : stryMutAct_9fa48("2908") ? true : (stryCov_9fa48("2908", "2909", "2910"), one.upload === upload))))) ? stryMutAct_9fa48("2911") ? ["Stryker was here"] : (stryCov_9fa48("2911"), []) : stryMutAct_9fa48("2912") ? [] : (stryCov_9fa48("2912"), [stryMutAct_9fa48("2913") ? {} : (stryCov_9fa48("2913"), {
      type: stryMutAct_9fa48("2914") ? "" : (stryCov_9fa48("2914"), 'UploadAbandoned'),
      data: stryMutAct_9fa48("2915") ? {} : (stryCov_9fa48("2915"), {
        upload
      })
    })]));
  }
}
function replacedOf({
  upload,
  blob,
  size,
  creator
}: FileVersion): Replaced {
  if (stryMutAct_9fa48("2916")) {
    {}
  } else {
    stryCov_9fa48("2916");
    return stryMutAct_9fa48("2917") ? {} : (stryCov_9fa48("2917"), {
      upload,
      blob,
      size,
      creator
    });
  }
}