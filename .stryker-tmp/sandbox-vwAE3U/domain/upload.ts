// An upload, from the link to the file: opened, its bytes stored, then completed, or expired. It says what the file
// will be; whether there is a file, the file's own stream says.
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
import { nothingThere } from './rules.ts';
import { streamName } from './streams.ts';
export const uploadStream = stryMutAct_9fa48("4917") ? () => undefined : (stryCov_9fa48("4917"), (() => {
  const uploadStream = (upload: string): string => streamName(stryMutAct_9fa48("4918") ? "" : (stryCov_9fa48("4918"), 'upload-'), upload);
  return uploadStream;
})());

/** From the link to the last moment at which it can be completed. */
export const UPLOAD_LIFETIME_MS = 900_000;
export type UploadOpenedData = {
  readonly bucket: string;
  /** Sealed in the log where a player began it; null once that player is deleted. */
  readonly path: string | null;
  readonly size: number;
  /** As the path. */
  readonly contentType: string | null;
  /** Hex, lower case. */
  readonly sha256: string | null;
  readonly blob: string;
  /** Who began it, and alone may complete it: a player, or null for a caller without one. */
  readonly player: string | null;
  /** ISO 8601, UTC. */
  readonly expires: string;
};

/** What the file became. */
export type UploadCompletedData = {
  readonly file: string;
  readonly creator: string | null;
  readonly created: string;
  readonly updated: string;
};
export type UploadEvent = {
  readonly type: 'UploadOpened';
  readonly data: UploadOpenedData;
} | {
  readonly type: 'BytesStored';
  readonly data: {
    readonly size: number;
    readonly sha256: string | null;
  };
}
/** The store holds other bytes than announced, permanently: it never overwrites a blob. */ | {
  readonly type: 'BytesRefused';
  readonly data: {
    readonly size: number;
    readonly sha256: string | null;
  };
} | {
  readonly type: 'UploadCompleted';
  readonly data: UploadCompletedData;
} | {
  readonly type: 'UploadExpired';
  readonly data: {
    readonly blob: string | null;
  };
};
export interface Upload extends UploadOpenedData {
  readonly isStored: boolean;
  /** The stored bytes' size and hash, if they differ from what was announced. */
  readonly refused: {
    readonly size: number;
    readonly sha256: string | null;
  } | null;
  readonly completed: UploadCompletedData | null;
}

/** One whose path can still be read: its player was not deleted. */
export type NamedUpload = Upload & {
  readonly path: string;
  readonly contentType: string;
};

/** `gone`: expired, or never opened and never to be. */
export const upload: Aggregate<Upload | 'gone' | null, UploadEvent> = stryMutAct_9fa48("4919") ? {} : (stryCov_9fa48("4919"), {
  name: stryMutAct_9fa48("4920") ? "" : (stryCov_9fa48("4920"), 'upload'),
  initial: null,
  evolve(state, event) {
    if (stryMutAct_9fa48("4921")) {
      {}
    } else {
      stryCov_9fa48("4921");
      if (stryMutAct_9fa48("4924") ? event.type !== 'UploadExpired' : stryMutAct_9fa48("4923") ? false : stryMutAct_9fa48("4922") ? true : (stryCov_9fa48("4922", "4923", "4924"), event.type === (stryMutAct_9fa48("4925") ? "" : (stryCov_9fa48("4925"), 'UploadExpired')))) return stryMutAct_9fa48("4926") ? "" : (stryCov_9fa48("4926"), 'gone');
      if (stryMutAct_9fa48("4929") ? event.type !== 'UploadOpened' : stryMutAct_9fa48("4928") ? false : stryMutAct_9fa48("4927") ? true : (stryCov_9fa48("4927", "4928", "4929"), event.type === (stryMutAct_9fa48("4930") ? "" : (stryCov_9fa48("4930"), 'UploadOpened')))) return stryMutAct_9fa48("4931") ? {} : (stryCov_9fa48("4931"), {
        ...event.data,
        isStored: stryMutAct_9fa48("4932") ? true : (stryCov_9fa48("4932"), false),
        refused: null,
        completed: null
      });
      if (stryMutAct_9fa48("4935") ? state === null && state === 'gone' : stryMutAct_9fa48("4934") ? false : stryMutAct_9fa48("4933") ? true : (stryCov_9fa48("4933", "4934", "4935"), (stryMutAct_9fa48("4937") ? state !== null : stryMutAct_9fa48("4936") ? false : (stryCov_9fa48("4936", "4937"), state === null)) || (stryMutAct_9fa48("4939") ? state !== 'gone' : stryMutAct_9fa48("4938") ? false : (stryCov_9fa48("4938", "4939"), state === (stryMutAct_9fa48("4940") ? "" : (stryCov_9fa48("4940"), 'gone')))))) return state;
      switch (event.type) {
        case stryMutAct_9fa48("4942") ? "" : (stryCov_9fa48("4942"), 'BytesStored'):
          if (stryMutAct_9fa48("4941")) {} else {
            stryCov_9fa48("4941");
            return stryMutAct_9fa48("4943") ? {} : (stryCov_9fa48("4943"), {
              ...state,
              isStored: stryMutAct_9fa48("4944") ? false : (stryCov_9fa48("4944"), true)
            });
          }
        case stryMutAct_9fa48("4946") ? "" : (stryCov_9fa48("4946"), 'BytesRefused'):
          if (stryMutAct_9fa48("4945")) {} else {
            stryCov_9fa48("4945");
            return stryMutAct_9fa48("4947") ? {} : (stryCov_9fa48("4947"), {
              ...state,
              refused: event.data
            });
          }
        case stryMutAct_9fa48("4949") ? "" : (stryCov_9fa48("4949"), 'UploadCompleted'):
          if (stryMutAct_9fa48("4948")) {} else {
            stryCov_9fa48("4948");
            return stryMutAct_9fa48("4950") ? {} : (stryCov_9fa48("4950"), {
              ...state,
              completed: event.data
            });
          }
        default:
          if (stryMutAct_9fa48("4951")) {} else {
            stryCov_9fa48("4951");
            return state;
          }
      }
    }
  }
});
type UploadState = Upload | 'gone' | null;
export function openUpload(data: UploadOpenedData): Decision<UploadState, UploadEvent> {
  if (stryMutAct_9fa48("4952")) {
    {}
  } else {
    stryCov_9fa48("4952");
    return state => {
      if (stryMutAct_9fa48("4953")) {
        {}
      } else {
        stryCov_9fa48("4953");
        if (stryMutAct_9fa48("4956") ? state !== 'gone' : stryMutAct_9fa48("4955") ? false : stryMutAct_9fa48("4954") ? true : (stryCov_9fa48("4954", "4955", "4956"), state === (stryMutAct_9fa48("4957") ? "" : (stryCov_9fa48("4957"), 'gone')))) throw nothingThere();
        return (stryMutAct_9fa48("4960") ? state !== null : stryMutAct_9fa48("4959") ? false : stryMutAct_9fa48("4958") ? true : (stryCov_9fa48("4958", "4959", "4960"), state === null)) ? stryMutAct_9fa48("4961") ? [] : (stryCov_9fa48("4961"), [stryMutAct_9fa48("4962") ? {} : (stryCov_9fa48("4962"), {
          type: stryMutAct_9fa48("4963") ? "" : (stryCov_9fa48("4963"), 'UploadOpened'),
          data
        })]) : stryMutAct_9fa48("4964") ? ["Stryker was here"] : (stryCov_9fa48("4964"), []);
      }
    };
  }
}

/** Whether its link takes bytes. */
export function isOpen(state: UploadState, nowMs: number): state is Upload {
  if (stryMutAct_9fa48("4965")) {
    {}
  } else {
    stryCov_9fa48("4965");
    return stryMutAct_9fa48("4968") ? isLive(state, nowMs) && !state.isStored || state.completed === null : stryMutAct_9fa48("4967") ? false : stryMutAct_9fa48("4966") ? true : (stryCov_9fa48("4966", "4967", "4968"), (stryMutAct_9fa48("4970") ? isLive(state, nowMs) || !state.isStored : stryMutAct_9fa48("4969") ? true : (stryCov_9fa48("4969", "4970"), isLive(state, nowMs) && (stryMutAct_9fa48("4971") ? state.isStored : (stryCov_9fa48("4971"), !state.isStored)))) && (stryMutAct_9fa48("4973") ? state.completed !== null : stryMutAct_9fa48("4972") ? true : (stryCov_9fa48("4972", "4973"), state.completed === null)));
  }
}

/** Whether it can be completed, or was. */
export function isLive(state: UploadState, nowMs: number): state is Upload {
  if (stryMutAct_9fa48("4974")) {
    {}
  } else {
    stryCov_9fa48("4974");
    if (stryMutAct_9fa48("4977") ? state === null && state === 'gone' : stryMutAct_9fa48("4976") ? false : stryMutAct_9fa48("4975") ? true : (stryCov_9fa48("4975", "4976", "4977"), (stryMutAct_9fa48("4979") ? state !== null : stryMutAct_9fa48("4978") ? false : (stryCov_9fa48("4978", "4979"), state === null)) || (stryMutAct_9fa48("4981") ? state !== 'gone' : stryMutAct_9fa48("4980") ? false : (stryCov_9fa48("4980", "4981"), state === (stryMutAct_9fa48("4982") ? "" : (stryCov_9fa48("4982"), 'gone')))))) return stryMutAct_9fa48("4983") ? true : (stryCov_9fa48("4983"), false);
    return stryMutAct_9fa48("4986") ? state.completed !== null && nowMs < Date.parse(state.expires) : stryMutAct_9fa48("4985") ? false : stryMutAct_9fa48("4984") ? true : (stryCov_9fa48("4984", "4985", "4986"), (stryMutAct_9fa48("4988") ? state.completed === null : stryMutAct_9fa48("4987") ? false : (stryCov_9fa48("4987", "4988"), state.completed !== null)) || (stryMutAct_9fa48("4991") ? nowMs >= Date.parse(state.expires) : stryMutAct_9fa48("4990") ? nowMs <= Date.parse(state.expires) : stryMutAct_9fa48("4989") ? false : (stryCov_9fa48("4989", "4990", "4991"), nowMs < Date.parse(state.expires))));
  }
}

/** 404 where the link is dead; nothing follows where the bytes are stored already and `again` says that they may be. */
export function storeBytes(stored: {
  readonly size: number;
  readonly sha256: string | null;
}, nowMs: number, again: boolean): Decision<UploadState, UploadEvent> {
  if (stryMutAct_9fa48("4992")) {
    {}
  } else {
    stryCov_9fa48("4992");
    return state => {
      if (stryMutAct_9fa48("4993")) {
        {}
      } else {
        stryCov_9fa48("4993");
        if (stryMutAct_9fa48("4996") ? again && isLive(state, nowMs) || state.isStored : stryMutAct_9fa48("4995") ? false : stryMutAct_9fa48("4994") ? true : (stryCov_9fa48("4994", "4995", "4996"), (stryMutAct_9fa48("4998") ? again || isLive(state, nowMs) : stryMutAct_9fa48("4997") ? true : (stryCov_9fa48("4997", "4998"), again && isLive(state, nowMs))) && state.isStored)) return stryMutAct_9fa48("4999") ? ["Stryker was here"] : (stryCov_9fa48("4999"), []);
        if (stryMutAct_9fa48("5002") ? false : stryMutAct_9fa48("5001") ? true : stryMutAct_9fa48("5000") ? isOpen(state, nowMs) : (stryCov_9fa48("5000", "5001", "5002"), !isOpen(state, nowMs))) throw nothingThere();
        checkBytes(state, stored);
        return stryMutAct_9fa48("5003") ? [] : (stryCov_9fa48("5003"), [stryMutAct_9fa48("5004") ? {} : (stryCov_9fa48("5004"), {
          type: stryMutAct_9fa48("5005") ? "" : (stryCov_9fa48("5005"), 'BytesStored'),
          data: stored
        })]);
      }
    };
  }
}

/** Remembers what was refused of an upload that is open, so that the store's bytes are not read for it once more. */
export function refuseBytes(stored: {
  readonly size: number;
  readonly sha256: string | null;
}, nowMs: number): Decision<UploadState, UploadEvent> {
  if (stryMutAct_9fa48("5006")) {
    {}
  } else {
    stryCov_9fa48("5006");
    return stryMutAct_9fa48("5007") ? () => undefined : (stryCov_9fa48("5007"), state => (stryMutAct_9fa48("5010") ? isOpen(state, nowMs) || state.refused === null : stryMutAct_9fa48("5009") ? false : stryMutAct_9fa48("5008") ? true : (stryCov_9fa48("5008", "5009", "5010"), isOpen(state, nowMs) && (stryMutAct_9fa48("5012") ? state.refused !== null : stryMutAct_9fa48("5011") ? true : (stryCov_9fa48("5011", "5012"), state.refused === null)))) ? stryMutAct_9fa48("5013") ? [] : (stryCov_9fa48("5013"), [stryMutAct_9fa48("5014") ? {} : (stryCov_9fa48("5014"), {
      type: stryMutAct_9fa48("5015") ? "" : (stryCov_9fa48("5015"), 'BytesRefused'),
      data: stored
    })]) : stryMutAct_9fa48("5016") ? ["Stryker was here"] : (stryCov_9fa48("5016"), []));
  }
}

/** 400 `size_mismatch`, 422 `checksum_mismatch`. */
export function checkBytes(wanted: Upload, stored: {
  readonly size: number;
  readonly sha256: string | null;
}): void {
  if (stryMutAct_9fa48("5017")) {
    {}
  } else {
    stryCov_9fa48("5017");
    if (stryMutAct_9fa48("5020") ? stored.size === wanted.size : stryMutAct_9fa48("5019") ? false : stryMutAct_9fa48("5018") ? true : (stryCov_9fa48("5018", "5019", "5020"), stored.size !== wanted.size)) {
      if (stryMutAct_9fa48("5021")) {
        {}
      } else {
        stryCov_9fa48("5021");
        throw new Refusal(stryMutAct_9fa48("5022") ? "" : (stryCov_9fa48("5022"), 'malformed'), stryMutAct_9fa48("5023") ? "" : (stryCov_9fa48("5023"), 'size_mismatch'), stryMutAct_9fa48("5024") ? `` : (stryCov_9fa48("5024"), `The upload is of exactly ${wanted.size} bytes.`));
      }
    }
    if (stryMutAct_9fa48("5027") ? wanted.sha256 !== null && stored.sha256 !== null || stored.sha256 !== wanted.sha256 : stryMutAct_9fa48("5026") ? false : stryMutAct_9fa48("5025") ? true : (stryCov_9fa48("5025", "5026", "5027"), (stryMutAct_9fa48("5029") ? wanted.sha256 !== null || stored.sha256 !== null : stryMutAct_9fa48("5028") ? true : (stryCov_9fa48("5028", "5029"), (stryMutAct_9fa48("5031") ? wanted.sha256 === null : stryMutAct_9fa48("5030") ? true : (stryCov_9fa48("5030", "5031"), wanted.sha256 !== null)) && (stryMutAct_9fa48("5033") ? stored.sha256 === null : stryMutAct_9fa48("5032") ? true : (stryCov_9fa48("5032", "5033"), stored.sha256 !== null)))) && (stryMutAct_9fa48("5035") ? stored.sha256 === wanted.sha256 : stryMutAct_9fa48("5034") ? true : (stryCov_9fa48("5034", "5035"), stored.sha256 !== wanted.sha256)))) {
      if (stryMutAct_9fa48("5036")) {
        {}
      } else {
        stryCov_9fa48("5036");
        throw new Refusal(stryMutAct_9fa48("5037") ? "" : (stryCov_9fa48("5037"), 'unprocessable'), stryMutAct_9fa48("5038") ? "" : (stryCov_9fa48("5038"), 'checksum_mismatch'), stryMutAct_9fa48("5039") ? "" : (stryCov_9fa48("5039"), 'The bytes are not those of the sha256 given.'));
      }
    }
  }
}
export function completeUpload(data: UploadCompletedData): Decision<UploadState, UploadEvent> {
  if (stryMutAct_9fa48("5040")) {
    {}
  } else {
    stryCov_9fa48("5040");
    return state => {
      if (stryMutAct_9fa48("5041")) {
        {}
      } else {
        stryCov_9fa48("5041");
        if (stryMutAct_9fa48("5044") ? state === null && state === 'gone' : stryMutAct_9fa48("5043") ? false : stryMutAct_9fa48("5042") ? true : (stryCov_9fa48("5042", "5043", "5044"), (stryMutAct_9fa48("5046") ? state !== null : stryMutAct_9fa48("5045") ? false : (stryCov_9fa48("5045", "5046"), state === null)) || (stryMutAct_9fa48("5048") ? state !== 'gone' : stryMutAct_9fa48("5047") ? false : (stryCov_9fa48("5047", "5048"), state === (stryMutAct_9fa48("5049") ? "" : (stryCov_9fa48("5049"), 'gone')))))) throw nothingThere();
        return (stryMutAct_9fa48("5052") ? state.completed !== null : stryMutAct_9fa48("5051") ? false : stryMutAct_9fa48("5050") ? true : (stryCov_9fa48("5050", "5051", "5052"), state.completed === null)) ? stryMutAct_9fa48("5053") ? [] : (stryCov_9fa48("5053"), [stryMutAct_9fa48("5054") ? {} : (stryCov_9fa48("5054"), {
          type: stryMutAct_9fa48("5055") ? "" : (stryCov_9fa48("5055"), 'UploadCompleted'),
          data
        })]) : stryMutAct_9fa48("5056") ? ["Stryker was here"] : (stryCov_9fa48("5056"), []);
      }
    };
  }
}

/** For who has no answer to give: nothing follows where there is no such upload. */
export function finishUpload(data: UploadCompletedData): Decision<UploadState, UploadEvent> {
  if (stryMutAct_9fa48("5057")) {
    {}
  } else {
    stryCov_9fa48("5057");
    return stryMutAct_9fa48("5058") ? () => undefined : (stryCov_9fa48("5058"), state => (stryMutAct_9fa48("5061") ? (state === null || state === 'gone') && state.completed !== null : stryMutAct_9fa48("5060") ? false : stryMutAct_9fa48("5059") ? true : (stryCov_9fa48("5059", "5060", "5061"), (stryMutAct_9fa48("5063") ? state === null && state === 'gone' : stryMutAct_9fa48("5062") ? false : (stryCov_9fa48("5062", "5063"), (stryMutAct_9fa48("5065") ? state !== null : stryMutAct_9fa48("5064") ? false : (stryCov_9fa48("5064", "5065"), state === null)) || (stryMutAct_9fa48("5067") ? state !== 'gone' : stryMutAct_9fa48("5066") ? false : (stryCov_9fa48("5066", "5067"), state === (stryMutAct_9fa48("5068") ? "" : (stryCov_9fa48("5068"), 'gone')))))) || (stryMutAct_9fa48("5070") ? state.completed === null : stryMutAct_9fa48("5069") ? false : (stryCov_9fa48("5069", "5070"), state.completed !== null)))) ? stryMutAct_9fa48("5071") ? ["Stryker was here"] : (stryCov_9fa48("5071"), []) : stryMutAct_9fa48("5072") ? [] : (stryCov_9fa48("5072"), [stryMutAct_9fa48("5073") ? {} : (stryCov_9fa48("5073"), {
      type: stryMutAct_9fa48("5074") ? "" : (stryCov_9fa48("5074"), 'UploadCompleted'),
      data
    })]));
  }
}

/** Only once it is known that the file's stream will never take it. */
export const expireUpload: Decision<UploadState, UploadEvent> = state => {
  if (stryMutAct_9fa48("5075")) {
    {}
  } else {
    stryCov_9fa48("5075");
    if (stryMutAct_9fa48("5078") ? state === 'gone' && state !== null && state.completed !== null : stryMutAct_9fa48("5077") ? false : stryMutAct_9fa48("5076") ? true : (stryCov_9fa48("5076", "5077", "5078"), (stryMutAct_9fa48("5080") ? state !== 'gone' : stryMutAct_9fa48("5079") ? false : (stryCov_9fa48("5079", "5080"), state === (stryMutAct_9fa48("5081") ? "" : (stryCov_9fa48("5081"), 'gone')))) || (stryMutAct_9fa48("5083") ? state !== null || state.completed !== null : stryMutAct_9fa48("5082") ? false : (stryCov_9fa48("5082", "5083"), (stryMutAct_9fa48("5085") ? state === null : stryMutAct_9fa48("5084") ? true : (stryCov_9fa48("5084", "5085"), state !== null)) && (stryMutAct_9fa48("5087") ? state.completed === null : stryMutAct_9fa48("5086") ? true : (stryCov_9fa48("5086", "5087"), state.completed !== null)))))) return stryMutAct_9fa48("5088") ? ["Stryker was here"] : (stryCov_9fa48("5088"), []);
    return stryMutAct_9fa48("5089") ? [] : (stryCov_9fa48("5089"), [stryMutAct_9fa48("5090") ? {} : (stryCov_9fa48("5090"), {
      type: stryMutAct_9fa48("5091") ? "" : (stryCov_9fa48("5091"), 'UploadExpired'),
      data: stryMutAct_9fa48("5092") ? {} : (stryCov_9fa48("5092"), {
        blob: stryMutAct_9fa48("5093") ? state?.blob && null : (stryCov_9fa48("5093"), (stryMutAct_9fa48("5094") ? state.blob : (stryCov_9fa48("5094"), state?.blob)) ?? null)
      })
    })]);
  }
};