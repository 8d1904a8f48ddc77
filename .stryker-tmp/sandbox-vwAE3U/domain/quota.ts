// What a bucket holds and what was promised of it. An upload reserves room before its link is given and holds it until
// it is settled or released, so that no number of uploads at once goes over a limit. Each entry is taken in and given
// back once only, by an id that stands here: facts told twice change nothing.
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
import { Map as ImmutableMap } from 'immutable';
import type { Aggregate } from './decider.ts';
import { type Promised, type Quota, readQuota, type Share, writeQuota } from './quota-state.ts';
import { streamName } from './streams.ts';
export const quotaStream = stryMutAct_9fa48("3695") ? () => undefined : (stryCov_9fa48("3695"), (() => {
  const quotaStream = (bucket: string): string => streamName(stryMutAct_9fa48("3696") ? "" : (stryCov_9fa48("3696"), 'quota-'), bucket);
  return quotaStream;
})());
export type QuotaEvent = {
  readonly type: 'UploadBegun';
  readonly data: Share & {
    readonly upload: string;
    readonly expires: string;
  };
}
/** It will hold something else than was reserved: another file lies at its path by now. */ | {
  readonly type: 'UploadReassigned';
  readonly data: Share & {
    readonly upload: string;
  };
}
/** It became a file: what it holds, and what it replaced. */ | {
  readonly type: 'UploadSettled';
  readonly data: {
    readonly upload: string;
    readonly held: Share;
    readonly freed: Share | null;
  };
} | {
  readonly type: 'UploadReleased';
  readonly data: {
    readonly upload: string;
  };
} | {
  readonly type: 'DeletionsBegun';
  readonly data: {
    readonly deletions: readonly string[];
  };
} | {
  readonly type: 'FilesFreed';
  readonly data: {
    readonly files: readonly (Share & {
      deletion: string;
    })[];
  };
} | {
  readonly type: 'DownloadBegun';
  readonly data: {
    readonly download: string;
    readonly bytes: number;
    readonly expires: string;
    /** Who asked for it, where that bounds what they hold. Older ones say nothing of it. */
    readonly by?: string;
  };
}
/**
 * Before they are sent, so that a crash leaves nothing uncounted. Of no download in particular where it is null: a
 * node's bytes ahead.
 */ | {
  readonly type: 'DownloadMetered';
  readonly data: {
    readonly download: string | null;
    readonly bytes: number;
  };
}
/** Which downloads bytes went to that were metered ahead: so much less of these is promised. */ | {
  readonly type: 'DownloadsSent';
  readonly data: {
    readonly downloads: readonly {
      readonly download: string;
      readonly bytes: number;
    }[];
  };
}
/** Of what was metered in that month (`2026-11`), bytes that were not sent. */ | {
  readonly type: 'DownloadCut';
  readonly data: {
    readonly download: string | null;
    readonly bytes: number;
    readonly month: string;
  };
}
/** Who asked for links and used none gives up what is promised to them: others ask for it. */ | {
  readonly type: 'PromisesDropped';
  readonly data: {
    readonly askers: readonly string[];
  };
};

/**
 * So long after its link ends a download's promise is held: for nodes whose clocks differ. Those that run are counted
 * whole already, since before their first byte.
 */
export const DOWNLOAD_HELD_MS = 10_000;
const DELETION_HELD_MS = stryMutAct_9fa48("3697") ? 24 * 60 / 60_000 : (stryCov_9fa48("3697"), (stryMutAct_9fa48("3698") ? 24 / 60 : (stryCov_9fa48("3698"), 24 * 60)) * 60_000);
/**
 * So long what is over is remembered, and at most so many of it: far more than calls that are on their way once more.
 */
const PAST_HELD_MS = stryMutAct_9fa48("3699") ? 60 / 60_000 : (stryCov_9fa48("3699"), 60 * 60_000);
export const PAST_MOST = 10_000;
/**
 * How the ids of deletions begin that no call made and none repeats: once freed they are
 * forgotten, as they may be many.
 */
export const CLEARED = stryMutAct_9fa48("3700") ? "" : (stryCov_9fa48("3700"), 'cleared-');
const MINUTE_MS = 60_000;
const EMPTY: Quota = stryMutAct_9fa48("3701") ? {} : (stryCov_9fa48("3701"), {
  bytes: 0,
  files: 0,
  owners: ImmutableMap(),
  uploads: ImmutableMap(),
  deletions: ImmutableMap(),
  past: ImmutableMap(),
  downloads: ImmutableMap(),
  promised: 0,
  askers: ImmutableMap(),
  month: stryMutAct_9fa48("3702") ? "Stryker was here!" : (stryCov_9fa48("3702"), ''),
  sent: 0,
  minute: 0
});
export const quota: Aggregate<Quota, QuotaEvent> = stryMutAct_9fa48("3703") ? {} : (stryCov_9fa48("3703"), {
  name: stryMutAct_9fa48("3704") ? "" : (stryCov_9fa48("3704"), 'quota'),
  initial: EMPTY,
  snapshot: stryMutAct_9fa48("3705") ? {} : (stryCov_9fa48("3705"), {
    form: 4,
    size: sizeOf,
    write: writeQuota,
    read: readQuota
  }),
  evolve(before, event, {
    time
  }) {
    if (stryMutAct_9fa48("3706")) {
      {}
    } else {
      stryCov_9fa48("3706");
      const state = asOf(before, Date.parse(time));
      switch (event.type) {
        case stryMutAct_9fa48("3708") ? "" : (stryCov_9fa48("3708"), 'UploadBegun'):
          if (stryMutAct_9fa48("3707")) {} else {
            stryCov_9fa48("3707");
            {
              if (stryMutAct_9fa48("3709")) {
                {}
              } else {
                stryCov_9fa48("3709");
                const {
                  upload,
                  owner,
                  bytes,
                  files
                } = event.data;
                const share = stryMutAct_9fa48("3710") ? {} : (stryCov_9fa48("3710"), {
                  owner,
                  bytes,
                  files
                });
                return stryMutAct_9fa48("3711") ? {} : (stryCov_9fa48("3711"), {
                  ...taken(state, share),
                  uploads: state.uploads.set(upload, share)
                });
              }
            }
          }
        case stryMutAct_9fa48("3713") ? "" : (stryCov_9fa48("3713"), 'UploadReassigned'):
          if (stryMutAct_9fa48("3712")) {} else {
            stryCov_9fa48("3712");
            {
              if (stryMutAct_9fa48("3714")) {
                {}
              } else {
                stryCov_9fa48("3714");
                const {
                  upload,
                  owner,
                  bytes,
                  files
                } = event.data;
                const share = stryMutAct_9fa48("3715") ? {} : (stryCov_9fa48("3715"), {
                  owner,
                  bytes,
                  files
                });
                return stryMutAct_9fa48("3716") ? {} : (stryCov_9fa48("3716"), {
                  ...taken(givenBack(state, upload), share),
                  uploads: state.uploads.set(upload, share)
                });
              }
            }
          }
        case stryMutAct_9fa48("3718") ? "" : (stryCov_9fa48("3718"), 'UploadSettled'):
          if (stryMutAct_9fa48("3717")) {} else {
            stryCov_9fa48("3717");
            {
              if (stryMutAct_9fa48("3719")) {
                {}
              } else {
                stryCov_9fa48("3719");
                const {
                  upload,
                  held,
                  freed
                } = event.data;
                const settled = taken(givenBack(state, upload), held);
                return stryMutAct_9fa48("3720") ? {} : (stryCov_9fa48("3720"), {
                  ...((stryMutAct_9fa48("3723") ? freed !== null : stryMutAct_9fa48("3722") ? false : stryMutAct_9fa48("3721") ? true : (stryCov_9fa48("3721", "3722", "3723"), freed === null)) ? settled : taken(settled, negative(freed))),
                  uploads: state.uploads.delete(upload),
                  past: state.past.set(upload, Date.parse(time))
                });
              }
            }
          }
        case stryMutAct_9fa48("3725") ? "" : (stryCov_9fa48("3725"), 'UploadReleased'):
          if (stryMutAct_9fa48("3724")) {} else {
            stryCov_9fa48("3724");
            return stryMutAct_9fa48("3726") ? {} : (stryCov_9fa48("3726"), {
              ...givenBack(state, event.data.upload),
              uploads: state.uploads.delete(event.data.upload)
            });
          }
        case stryMutAct_9fa48("3728") ? "" : (stryCov_9fa48("3728"), 'DeletionsBegun'):
          if (stryMutAct_9fa48("3727")) {} else {
            stryCov_9fa48("3727");
            {
              if (stryMutAct_9fa48("3729")) {
                {}
              } else {
                stryCov_9fa48("3729");
                let {
                  deletions
                } = state;
                for (const deletion of event.data.deletions) deletions = deletions.set(deletion, Date.parse(time));
                return stryMutAct_9fa48("3730") ? {} : (stryCov_9fa48("3730"), {
                  ...state,
                  deletions
                });
              }
            }
          }
        case stryMutAct_9fa48("3732") ? "" : (stryCov_9fa48("3732"), 'FilesFreed'):
          if (stryMutAct_9fa48("3731")) {} else {
            stryCov_9fa48("3731");
            {
              if (stryMutAct_9fa48("3733")) {
                {}
              } else {
                stryCov_9fa48("3733");
                let next = state;
                for (const {
                  deletion,
                  ...share
                } of event.data.files) {
                  if (stryMutAct_9fa48("3734")) {
                    {}
                  } else {
                    stryCov_9fa48("3734");
                    const past = (stryMutAct_9fa48("3735") ? deletion.endsWith(CLEARED) : (stryCov_9fa48("3735"), deletion.startsWith(CLEARED))) ? next.past : next.past.set(deletion, Date.parse(time));
                    next = stryMutAct_9fa48("3736") ? {} : (stryCov_9fa48("3736"), {
                      ...taken(next, negative(share)),
                      deletions: next.deletions.delete(deletion),
                      past
                    });
                  }
                }
                return next;
              }
            }
          }
        case stryMutAct_9fa48("3738") ? "" : (stryCov_9fa48("3738"), 'DownloadBegun'):
          if (stryMutAct_9fa48("3737")) {} else {
            stryCov_9fa48("3737");
            {
              if (stryMutAct_9fa48("3739")) {
                {}
              } else {
                stryCov_9fa48("3739");
                const {
                  download,
                  bytes,
                  expires,
                  by = null
                } = event.data;
                const promise = stryMutAct_9fa48("3740") ? {} : (stryCov_9fa48("3740"), {
                  bytes,
                  sent: 0,
                  expiresMs: Date.parse(expires),
                  by
                });
                return stryMutAct_9fa48("3741") ? {} : (stryCov_9fa48("3741"), {
                  ...promising(state, by, bytes),
                  downloads: state.downloads.set(download, promise)
                });
              }
            }
          }
        case stryMutAct_9fa48("3743") ? "" : (stryCov_9fa48("3743"), 'DownloadMetered'):
          if (stryMutAct_9fa48("3742")) {} else {
            stryCov_9fa48("3742");
            {
              if (stryMutAct_9fa48("3744")) {
                {}
              } else {
                stryCov_9fa48("3744");
                const {
                  download,
                  bytes
                } = event.data;
                return used(stryMutAct_9fa48("3745") ? {} : (stryCov_9fa48("3745"), {
                  ...state,
                  sent: stryMutAct_9fa48("3746") ? state.sent - bytes : (stryCov_9fa48("3746"), state.sent + bytes)
                }), download, bytes);
              }
            }
          }
        case stryMutAct_9fa48("3748") ? "" : (stryCov_9fa48("3748"), 'DownloadsSent'):
          if (stryMutAct_9fa48("3747")) {} else {
            stryCov_9fa48("3747");
            return event.data.downloads.reduce(stryMutAct_9fa48("3749") ? () => undefined : (stryCov_9fa48("3749"), (next, {
              download,
              bytes
            }) => used(next, download, bytes)), state);
          }
        case stryMutAct_9fa48("3751") ? "" : (stryCov_9fa48("3751"), 'DownloadCut'):
          if (stryMutAct_9fa48("3750")) {} else {
            stryCov_9fa48("3750");
            {
              if (stryMutAct_9fa48("3752")) {
                {}
              } else {
                stryCov_9fa48("3752");
                const {
                  download,
                  bytes,
                  month
                } = event.data;
                const sent = (stryMutAct_9fa48("3755") ? month !== state.month : stryMutAct_9fa48("3754") ? false : stryMutAct_9fa48("3753") ? true : (stryCov_9fa48("3753", "3754", "3755"), month === state.month)) ? stryMutAct_9fa48("3756") ? state.sent + bytes : (stryCov_9fa48("3756"), state.sent - bytes) : state.sent;
                return used(stryMutAct_9fa48("3757") ? {} : (stryCov_9fa48("3757"), {
                  ...state,
                  sent
                }), download, stryMutAct_9fa48("3758") ? +bytes : (stryCov_9fa48("3758"), -bytes));
              }
            }
          }
        case stryMutAct_9fa48("3760") ? "" : (stryCov_9fa48("3760"), 'PromisesDropped'):
          if (stryMutAct_9fa48("3759")) {} else {
            stryCov_9fa48("3759");
            return dropped(state, new Set(event.data.askers));
          }
        default:
          if (stryMutAct_9fa48("3761")) {} else {
            stryCov_9fa48("3761");
            return state;
          }
      }
    }
  }
});
function sizeOf({
  owners,
  uploads,
  deletions,
  past,
  downloads,
  askers
}: Quota): number {
  if (stryMutAct_9fa48("3762")) {
    {}
  } else {
    stryCov_9fa48("3762");
    return stryMutAct_9fa48("3763") ? askers.size + owners.size + uploads.size + deletions.size + past.size - downloads.size : (stryCov_9fa48("3763"), (stryMutAct_9fa48("3764") ? askers.size + owners.size + uploads.size + deletions.size - past.size : (stryCov_9fa48("3764"), (stryMutAct_9fa48("3765") ? askers.size + owners.size + uploads.size - deletions.size : (stryCov_9fa48("3765"), (stryMutAct_9fa48("3766") ? askers.size + owners.size - uploads.size : (stryCov_9fa48("3766"), (stryMutAct_9fa48("3767") ? askers.size - owners.size : (stryCov_9fa48("3767"), askers.size + owners.size)) + uploads.size)) + deletions.size)) + past.size)) + downloads.size);
  }
}

/** So many bytes of a download were sent, or, below zero, were not after all: the less of it is promised. */
function used(state: Quota, download: string | null, bytes: number): Quota {
  if (stryMutAct_9fa48("3768")) {
    {}
  } else {
    stryCov_9fa48("3768");
    const before = (stryMutAct_9fa48("3771") ? download !== null : stryMutAct_9fa48("3770") ? false : stryMutAct_9fa48("3769") ? true : (stryCov_9fa48("3769", "3770", "3771"), download === null)) ? undefined : state.downloads.get(download);
    if (stryMutAct_9fa48("3774") ? download === null && before === undefined : stryMutAct_9fa48("3773") ? false : stryMutAct_9fa48("3772") ? true : (stryCov_9fa48("3772", "3773", "3774"), (stryMutAct_9fa48("3776") ? download !== null : stryMutAct_9fa48("3775") ? false : (stryCov_9fa48("3775", "3776"), download === null)) || (stryMutAct_9fa48("3778") ? before !== undefined : stryMutAct_9fa48("3777") ? false : (stryCov_9fa48("3777", "3778"), before === undefined)))) return state;
    const after = stryMutAct_9fa48("3779") ? {} : (stryCov_9fa48("3779"), {
      ...before,
      sent: stryMutAct_9fa48("3780") ? before.sent - bytes : (stryCov_9fa48("3780"), before.sent + bytes)
    });
    const next = promising(state, before.by, stryMutAct_9fa48("3781") ? unsent(after) + unsent(before) : (stryCov_9fa48("3781"), unsent(after) - unsent(before)));
    return stryMutAct_9fa48("3782") ? {} : (stryCov_9fa48("3782"), {
      ...next,
      downloads: state.downloads.set(download, after)
    });
  }
}
function dropped(state: Quota, askers: ReadonlySet<string | null>): Quota {
  if (stryMutAct_9fa48("3783")) {
    {}
  } else {
    stryCov_9fa48("3783");
    let next = state;
    for (const [download, promise] of state.downloads.entries()) {
      if (stryMutAct_9fa48("3784")) {
        {}
      } else {
        stryCov_9fa48("3784");
        if (stryMutAct_9fa48("3787") ? false : stryMutAct_9fa48("3786") ? true : stryMutAct_9fa48("3785") ? askers.has(promise.by) : (stryCov_9fa48("3785", "3786", "3787"), !askers.has(promise.by))) continue;
        next = stryMutAct_9fa48("3788") ? {} : (stryCov_9fa48("3788"), {
          ...promising(next, promise.by, stryMutAct_9fa48("3789") ? +unsent(promise) : (stryCov_9fa48("3789"), -unsent(promise))),
          downloads: next.downloads.delete(download)
        });
      }
    }
    return next;
  }
}

/** So many bytes more, or less, are promised; of which `by` asked for them. */
function promising(state: Quota, by: string | null, bytes: number): Quota {
  if (stryMutAct_9fa48("3790")) {
    {}
  } else {
    stryCov_9fa48("3790");
    const next = stryMutAct_9fa48("3791") ? {} : (stryCov_9fa48("3791"), {
      ...state,
      promised: stryMutAct_9fa48("3792") ? state.promised - bytes : (stryCov_9fa48("3792"), state.promised + bytes)
    });
    if (stryMutAct_9fa48("3795") ? by !== null : stryMutAct_9fa48("3794") ? false : stryMutAct_9fa48("3793") ? true : (stryCov_9fa48("3793", "3794", "3795"), by === null)) return next;
    const held = stryMutAct_9fa48("3796") ? (state.askers.get(by) ?? 0) - bytes : (stryCov_9fa48("3796"), (stryMutAct_9fa48("3797") ? state.askers.get(by) && 0 : (stryCov_9fa48("3797"), state.askers.get(by) ?? 0)) + bytes);
    return stryMutAct_9fa48("3798") ? {} : (stryCov_9fa48("3798"), {
      ...next,
      askers: (stryMutAct_9fa48("3801") ? held !== 0 : stryMutAct_9fa48("3800") ? false : stryMutAct_9fa48("3799") ? true : (stryCov_9fa48("3799", "3800", "3801"), held === 0)) ? state.askers.delete(by) : state.askers.set(by, held)
    });
  }
}
export const unsent = stryMutAct_9fa48("3802") ? () => undefined : (stryCov_9fa48("3802"), (() => {
  const unsent = ({
    bytes,
    sent
  }: Promised): number => stryMutAct_9fa48("3803") ? Math.min(0, bytes - sent) : (stryCov_9fa48("3803"), Math.max(0, stryMutAct_9fa48("3804") ? bytes + sent : (stryCov_9fa48("3804"), bytes - sent)));
  return unsent;
})());
const negative = stryMutAct_9fa48("3805") ? () => undefined : (stryCov_9fa48("3805"), (() => {
  const negative = ({
    owner,
    bytes,
    files
  }: Share): Share => stryMutAct_9fa48("3806") ? {} : (stryCov_9fa48("3806"), {
    owner,
    bytes: stryMutAct_9fa48("3807") ? +bytes : (stryCov_9fa48("3807"), -bytes),
    files: stryMutAct_9fa48("3808") ? +files : (stryCov_9fa48("3808"), -files)
  });
  return negative;
})());
function taken(state: Quota, {
  owner,
  bytes,
  files
}: Share): Quota {
  if (stryMutAct_9fa48("3809")) {
    {}
  } else {
    stryCov_9fa48("3809");
    const next = stryMutAct_9fa48("3810") ? {} : (stryCov_9fa48("3810"), {
      ...state,
      bytes: stryMutAct_9fa48("3811") ? state.bytes - bytes : (stryCov_9fa48("3811"), state.bytes + bytes),
      files: stryMutAct_9fa48("3812") ? state.files - files : (stryCov_9fa48("3812"), state.files + files)
    });
    if (stryMutAct_9fa48("3815") ? owner !== null : stryMutAct_9fa48("3814") ? false : stryMutAct_9fa48("3813") ? true : (stryCov_9fa48("3813", "3814", "3815"), owner === null)) return next;
    const held = stryMutAct_9fa48("3816") ? state.owners.get(owner) && {
      bytes: 0,
      files: 0
    } : (stryCov_9fa48("3816"), state.owners.get(owner) ?? (stryMutAct_9fa48("3817") ? {} : (stryCov_9fa48("3817"), {
      bytes: 0,
      files: 0
    })));
    const sum = stryMutAct_9fa48("3818") ? {} : (stryCov_9fa48("3818"), {
      bytes: stryMutAct_9fa48("3819") ? held.bytes - bytes : (stryCov_9fa48("3819"), held.bytes + bytes),
      files: stryMutAct_9fa48("3820") ? held.files - files : (stryCov_9fa48("3820"), held.files + files)
    });
    const isNothing = stryMutAct_9fa48("3823") ? sum.bytes === 0 || sum.files === 0 : stryMutAct_9fa48("3822") ? false : stryMutAct_9fa48("3821") ? true : (stryCov_9fa48("3821", "3822", "3823"), (stryMutAct_9fa48("3825") ? sum.bytes !== 0 : stryMutAct_9fa48("3824") ? true : (stryCov_9fa48("3824", "3825"), sum.bytes === 0)) && (stryMutAct_9fa48("3827") ? sum.files !== 0 : stryMutAct_9fa48("3826") ? true : (stryCov_9fa48("3826", "3827"), sum.files === 0)));
    return stryMutAct_9fa48("3828") ? {} : (stryCov_9fa48("3828"), {
      ...next,
      owners: isNothing ? state.owners.delete(owner) : state.owners.set(owner, sum)
    });
  }
}

/** Without what is reserved for an upload. */
export function givenBack(state: Quota, upload: string): Quota {
  if (stryMutAct_9fa48("3829")) {
    {}
  } else {
    stryCov_9fa48("3829");
    const reserved = state.uploads.get(upload);
    return (stryMutAct_9fa48("3832") ? reserved !== undefined : stryMutAct_9fa48("3831") ? false : stryMutAct_9fa48("3830") ? true : (stryCov_9fa48("3830", "3831", "3832"), reserved === undefined)) ? state : taken(state, negative(reserved));
  }
}

/** As it stands at a time: a new month begins at nothing, and what is over is forgotten, once a minute. */
export function asOf(state: Quota, nowMs: number): Quota {
  if (stryMutAct_9fa48("3833")) {
    {}
  } else {
    stryCov_9fa48("3833");
    const minute = Math.floor(stryMutAct_9fa48("3834") ? nowMs * MINUTE_MS : (stryCov_9fa48("3834"), nowMs / MINUTE_MS));
    if (stryMutAct_9fa48("3838") ? minute > state.minute : stryMutAct_9fa48("3837") ? minute < state.minute : stryMutAct_9fa48("3836") ? false : stryMutAct_9fa48("3835") ? true : (stryCov_9fa48("3835", "3836", "3837", "3838"), minute <= state.minute)) return state;
    let {
      downloads,
      deletions
    } = state;
    let next = state;
    for (const [download, promise] of state.downloads.entries()) {
      if (stryMutAct_9fa48("3839")) {
        {}
      } else {
        stryCov_9fa48("3839");
        if (stryMutAct_9fa48("3843") ? promise.expiresMs + DOWNLOAD_HELD_MS < nowMs : stryMutAct_9fa48("3842") ? promise.expiresMs + DOWNLOAD_HELD_MS > nowMs : stryMutAct_9fa48("3841") ? false : stryMutAct_9fa48("3840") ? true : (stryCov_9fa48("3840", "3841", "3842", "3843"), (stryMutAct_9fa48("3844") ? promise.expiresMs - DOWNLOAD_HELD_MS : (stryCov_9fa48("3844"), promise.expiresMs + DOWNLOAD_HELD_MS)) >= nowMs)) continue;
        downloads = downloads.delete(download);
        next = promising(next, promise.by, stryMutAct_9fa48("3845") ? +unsent(promise) : (stryCov_9fa48("3845"), -unsent(promise)));
      }
    }
    for (const [deletion, sinceMs] of state.deletions.entries()) {
      if (stryMutAct_9fa48("3846")) {
        {}
      } else {
        stryCov_9fa48("3846");
        if (stryMutAct_9fa48("3850") ? sinceMs + DELETION_HELD_MS >= nowMs : stryMutAct_9fa48("3849") ? sinceMs + DELETION_HELD_MS <= nowMs : stryMutAct_9fa48("3848") ? false : stryMutAct_9fa48("3847") ? true : (stryCov_9fa48("3847", "3848", "3849", "3850"), (stryMutAct_9fa48("3851") ? sinceMs - DELETION_HELD_MS : (stryCov_9fa48("3851"), sinceMs + DELETION_HELD_MS)) < nowMs)) deletions = deletions.delete(deletion);
      }
    }
    const month = monthOf(nowMs);
    const past = newest(state.past, nowMs);
    return stryMutAct_9fa48("3852") ? {} : (stryCov_9fa48("3852"), {
      ...next,
      downloads,
      deletions,
      past,
      minute,
      month,
      sent: (stryMutAct_9fa48("3855") ? month !== state.month : stryMutAct_9fa48("3854") ? false : stryMutAct_9fa48("3853") ? true : (stryCov_9fa48("3853", "3854", "3855"), month === state.month)) ? state.sent : 0
    });
  }
}
const lately = new WeakMap<Quota, Quota>();

/**
 * The same for decisions, which are asked for again and again while nothing is appended: worked out once a minute for
 * each state, as of the first time asked for in it. What evolves must not use it: it follows from the events alone.
 */
export function asOfMinute(state: Quota, nowMs: number): Quota {
  if (stryMutAct_9fa48("3856")) {
    {}
  } else {
    stryCov_9fa48("3856");
    const known = lately.get(state);
    if (stryMutAct_9fa48("3859") ? known !== undefined || known.minute === Math.floor(nowMs / MINUTE_MS) : stryMutAct_9fa48("3858") ? false : stryMutAct_9fa48("3857") ? true : (stryCov_9fa48("3857", "3858", "3859"), (stryMutAct_9fa48("3861") ? known === undefined : stryMutAct_9fa48("3860") ? true : (stryCov_9fa48("3860", "3861"), known !== undefined)) && (stryMutAct_9fa48("3863") ? known.minute !== Math.floor(nowMs / MINUTE_MS) : stryMutAct_9fa48("3862") ? true : (stryCov_9fa48("3862", "3863"), known.minute === Math.floor(stryMutAct_9fa48("3864") ? nowMs * MINUTE_MS : (stryCov_9fa48("3864"), nowMs / MINUTE_MS)))))) return known;
    const found = asOf(state, nowMs);
    if (stryMutAct_9fa48("3867") ? found === state : stryMutAct_9fa48("3866") ? false : stryMutAct_9fa48("3865") ? true : (stryCov_9fa48("3865", "3866", "3867"), found !== state)) lately.set(state, found);
    return found;
  }
}
function newest(past: ImmutableMap<string, number>, nowMs: number): ImmutableMap<string, number> {
  if (stryMutAct_9fa48("3868")) {
    {}
  } else {
    stryCov_9fa48("3868");
    const oldestFirst = stryMutAct_9fa48("3869") ? [...past.entries()] : (stryCov_9fa48("3869"), (stryMutAct_9fa48("3870") ? [] : (stryCov_9fa48("3870"), [...past.entries()])).sort(stryMutAct_9fa48("3871") ? () => undefined : (stryCov_9fa48("3871"), ([, a], [, b]) => stryMutAct_9fa48("3872") ? a + b : (stryCov_9fa48("3872"), a - b))));
    const over = stryMutAct_9fa48("3873") ? oldestFirst : (stryCov_9fa48("3873"), oldestFirst.filter(stryMutAct_9fa48("3874") ? () => undefined : (stryCov_9fa48("3874"), ([, ms], at) => stryMutAct_9fa48("3877") ? ms + PAST_HELD_MS < nowMs && at < oldestFirst.length - PAST_MOST : stryMutAct_9fa48("3876") ? false : stryMutAct_9fa48("3875") ? true : (stryCov_9fa48("3875", "3876", "3877"), (stryMutAct_9fa48("3880") ? ms + PAST_HELD_MS >= nowMs : stryMutAct_9fa48("3879") ? ms + PAST_HELD_MS <= nowMs : stryMutAct_9fa48("3878") ? false : (stryCov_9fa48("3878", "3879", "3880"), (stryMutAct_9fa48("3881") ? ms - PAST_HELD_MS : (stryCov_9fa48("3881"), ms + PAST_HELD_MS)) < nowMs)) || (stryMutAct_9fa48("3884") ? at >= oldestFirst.length - PAST_MOST : stryMutAct_9fa48("3883") ? at <= oldestFirst.length - PAST_MOST : stryMutAct_9fa48("3882") ? false : (stryCov_9fa48("3882", "3883", "3884"), at < (stryMutAct_9fa48("3885") ? oldestFirst.length + PAST_MOST : (stryCov_9fa48("3885"), oldestFirst.length - PAST_MOST))))))));
    return over.reduce(stryMutAct_9fa48("3886") ? () => undefined : (stryCov_9fa48("3886"), (kept, [id]) => kept.delete(id)), past);
  }
}

/** `2026-11` in UTC. */
export const monthOf = stryMutAct_9fa48("3887") ? () => undefined : (stryCov_9fa48("3887"), (() => {
  const monthOf = (nowMs: number): string => stryMutAct_9fa48("3888") ? new Date(nowMs).toISOString() : (stryCov_9fa48("3888"), new Date(nowMs).toISOString().slice(0, 7));
  return monthOf;
})());