// The view of buckets: their settings, and the storage and download counters, computed from the events of their files.
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
import { type Bucket, type BucketEvent, bucket } from '../domain/bucket.ts';
import { type JsonObject, momentOf, type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { FileDeletedData, FileOverwrittenData, FileStoredData } from '../domain/file.ts';
import { idsIn, isNamed } from '../domain/streams.ts';
import type { Docs, Projection } from './projection.ts';
export const buckets: Projection = stryMutAct_9fa48("5305") ? {} : (stryCov_9fa48("5305"), {
  name: stryMutAct_9fa48("5306") ? "" : (stryCov_9fa48("5306"), 'buckets'),
  version: 1,
  collections: stryMutAct_9fa48("5307") ? [] : (stryCov_9fa48("5307"), [stryMutAct_9fa48("5308") ? {} : (stryCov_9fa48("5308"), {
    name: stryMutAct_9fa48("5309") ? "" : (stryCov_9fa48("5309"), 'buckets'),
    indexes: stryMutAct_9fa48("5310") ? {} : (stryCov_9fa48("5310"), {
      game: stryMutAct_9fa48("5311") ? [] : (stryCov_9fa48("5311"), [stryMutAct_9fa48("5312") ? "" : (stryCov_9fa48("5312"), 'listedIn'), stryMutAct_9fa48("5313") ? "" : (stryCov_9fa48("5313"), 'created')])
    })
  })]),
  takes: stryMutAct_9fa48("5314") ? [] : (stryCov_9fa48("5314"), [stryMutAct_9fa48("5315") ? "" : (stryCov_9fa48("5315"), 'BucketCreated'), stryMutAct_9fa48("5316") ? "" : (stryCov_9fa48("5316"), 'BucketConfigured'), stryMutAct_9fa48("5317") ? "" : (stryCov_9fa48("5317"), 'BucketDeleted'), stryMutAct_9fa48("5318") ? "" : (stryCov_9fa48("5318"), 'FileStored'), stryMutAct_9fa48("5319") ? "" : (stryCov_9fa48("5319"), 'FileOverwritten'), stryMutAct_9fa48("5320") ? "" : (stryCov_9fa48("5320"), 'FileDeleted'), stryMutAct_9fa48("5321") ? "" : (stryCov_9fa48("5321"), 'DownloadMetered'), stryMutAct_9fa48("5322") ? "" : (stryCov_9fa48("5322"), 'DownloadCut')]),
  needs: stryMutAct_9fa48("5323") ? () => undefined : (stryCov_9fa48("5323"), ({
    stream
  }) => stryMutAct_9fa48("5324") ? [] : (stryCov_9fa48("5324"), [stryMutAct_9fa48("5325") ? [] : (stryCov_9fa48("5325"), [stryMutAct_9fa48("5326") ? "" : (stryCov_9fa48("5326"), 'buckets'), idsIn(stream)[0]])])),
  handle(event, docs) {
    if (stryMutAct_9fa48("5327")) {
      {}
    } else {
      stryCov_9fa48("5327");
      const [id] = idsIn(event.stream);
      const before = docs.get(stryMutAct_9fa48("5328") ? "" : (stryCov_9fa48("5328"), 'buckets'), id);
      if (stryMutAct_9fa48("5330") ? false : stryMutAct_9fa48("5329") ? true : (stryCov_9fa48("5329", "5330"), isNamed(event.stream, stryMutAct_9fa48("5331") ? "" : (stryCov_9fa48("5331"), 'bucket-')))) return putSettings(event, docs, id, before);
      if (stryMutAct_9fa48("5334") ? before !== null : stryMutAct_9fa48("5333") ? false : stryMutAct_9fa48("5332") ? true : (stryCov_9fa48("5332", "5333", "5334"), before === null)) throw new Error(stryMutAct_9fa48("5335") ? `` : (stryCov_9fa48("5335"), `${event.type} in bucket ${id}, which was never created`));
      docs.put(stryMutAct_9fa48("5336") ? "" : (stryCov_9fa48("5336"), 'buckets'), id, stryMutAct_9fa48("5337") ? {} : (stryCov_9fa48("5337"), {
        ...before,
        ...countersAfter(event, before)
      }));
    }
  }
});
function putSettings(event: StoredEvent, docs: Docs, id: string, before: JsonObject | null): void {
  if (stryMutAct_9fa48("5338")) {
    {}
  } else {
    stryCov_9fa48("5338");
    const state = bucket.evolve(unsafeCast<Bucket | null>(stryMutAct_9fa48("5339") ? before?.state && null : (stryCov_9fa48("5339"), (stryMutAct_9fa48("5340") ? before.state : (stryCov_9fa48("5340"), before?.state)) ?? null)), unsafeCast<BucketEvent>(event), momentOf(event));
    if (stryMutAct_9fa48("5343") ? state !== null : stryMutAct_9fa48("5342") ? false : stryMutAct_9fa48("5341") ? true : (stryCov_9fa48("5341", "5342", "5343"), state === null)) return;
    const {
      game
    } = event.meta;
    const counters = stryMutAct_9fa48("5344") ? before && {
      bytes: 0,
      files: 0,
      month: '',
      downloaded: 0
    } : (stryCov_9fa48("5344"), before ?? (stryMutAct_9fa48("5345") ? {} : (stryCov_9fa48("5345"), {
      bytes: 0,
      files: 0,
      month: stryMutAct_9fa48("5346") ? "Stryker was here!" : (stryCov_9fa48("5346"), ''),
      downloaded: 0
    })));
    const listedIn = state.deleted ? null : game;
    docs.put(stryMutAct_9fa48("5347") ? "" : (stryCov_9fa48("5347"), 'buckets'), id, stryMutAct_9fa48("5348") ? {} : (stryCov_9fa48("5348"), {
      ...counters,
      id,
      game,
      state: unsafeCast<JsonObject>(state),
      created: state.created,
      listedIn
    }));
  }
}
function countersAfter({
  type,
  data,
  meta
}: StoredEvent, before: JsonObject): JsonObject {
  if (stryMutAct_9fa48("5349")) {
    {}
  } else {
    stryCov_9fa48("5349");
    const {
      bytes,
      files,
      month,
      downloaded
    } = unsafeCast<Counters>(before);
    switch (type) {
      case stryMutAct_9fa48("5351") ? "" : (stryCov_9fa48("5351"), 'FileStored'):
        if (stryMutAct_9fa48("5350")) {} else {
          stryCov_9fa48("5350");
          {
            if (stryMutAct_9fa48("5352")) {
              {}
            } else {
              stryCov_9fa48("5352");
              const {
                size,
                replaced
              } = unsafeCast<FileStoredData>(data);
              const gone = (stryMutAct_9fa48("5355") ? replaced !== null : stryMutAct_9fa48("5354") ? false : stryMutAct_9fa48("5353") ? true : (stryCov_9fa48("5353", "5354", "5355"), replaced === null)) ? stryMutAct_9fa48("5356") ? {} : (stryCov_9fa48("5356"), {
                size: 0,
                files: 0
              }) : stryMutAct_9fa48("5357") ? {} : (stryCov_9fa48("5357"), {
                size: replaced.size,
                files: 1
              });
              return stryMutAct_9fa48("5358") ? {} : (stryCov_9fa48("5358"), {
                bytes: stryMutAct_9fa48("5359") ? bytes + size + gone.size : (stryCov_9fa48("5359"), (stryMutAct_9fa48("5360") ? bytes - size : (stryCov_9fa48("5360"), bytes + size)) - gone.size),
                files: stryMutAct_9fa48("5361") ? files + 1 + gone.files : (stryCov_9fa48("5361"), (stryMutAct_9fa48("5362") ? files - 1 : (stryCov_9fa48("5362"), files + 1)) - gone.files)
              });
            }
          }
        }
      case stryMutAct_9fa48("5364") ? "" : (stryCov_9fa48("5364"), 'FileOverwritten'):
        if (stryMutAct_9fa48("5363")) {} else {
          stryCov_9fa48("5363");
          {
            if (stryMutAct_9fa48("5365")) {
              {}
            } else {
              stryCov_9fa48("5365");
              const {
                size,
                replaced
              } = unsafeCast<FileOverwrittenData>(data);
              return stryMutAct_9fa48("5366") ? {} : (stryCov_9fa48("5366"), {
                bytes: stryMutAct_9fa48("5367") ? bytes + size + replaced.size : (stryCov_9fa48("5367"), (stryMutAct_9fa48("5368") ? bytes - size : (stryCov_9fa48("5368"), bytes + size)) - replaced.size)
              });
            }
          }
        }
      case stryMutAct_9fa48("5370") ? "" : (stryCov_9fa48("5370"), 'FileDeleted'):
        if (stryMutAct_9fa48("5369")) {} else {
          stryCov_9fa48("5369");
          return stryMutAct_9fa48("5371") ? {} : (stryCov_9fa48("5371"), {
            bytes: stryMutAct_9fa48("5372") ? bytes + unsafeCast<FileDeletedData>(data).size : (stryCov_9fa48("5372"), bytes - unsafeCast<FileDeletedData>(data).size),
            files: stryMutAct_9fa48("5373") ? files + 1 : (stryCov_9fa48("5373"), files - 1)
          });
        }
      case stryMutAct_9fa48("5375") ? "" : (stryCov_9fa48("5375"), 'DownloadCut'):
        if (stryMutAct_9fa48("5374")) {} else {
          stryCov_9fa48("5374");
          return (stryMutAct_9fa48("5378") ? data.month !== month : stryMutAct_9fa48("5377") ? false : stryMutAct_9fa48("5376") ? true : (stryCov_9fa48("5376", "5377", "5378"), data.month === month)) ? stryMutAct_9fa48("5379") ? {} : (stryCov_9fa48("5379"), {
            downloaded: stryMutAct_9fa48("5380") ? downloaded + Number(data.bytes) : (stryCov_9fa48("5380"), downloaded - Number(data.bytes))
          }) : {};
        }
      default:
        if (stryMutAct_9fa48("5381")) {} else {
          stryCov_9fa48("5381");
          {
            if (stryMutAct_9fa48("5382")) {
              {}
            } else {
              stryCov_9fa48("5382");
              const present = stryMutAct_9fa48("5383") ? meta.time : (stryCov_9fa48("5383"), meta.time.slice(0, (stryMutAct_9fa48("5384") ? "" : (stryCov_9fa48("5384"), 'yyyy-mm')).length));
              const sent = Number(data.bytes);
              return stryMutAct_9fa48("5385") ? {} : (stryCov_9fa48("5385"), {
                month: present,
                downloaded: (stryMutAct_9fa48("5388") ? present !== month : stryMutAct_9fa48("5387") ? false : stryMutAct_9fa48("5386") ? true : (stryCov_9fa48("5386", "5387", "5388"), present === month)) ? stryMutAct_9fa48("5389") ? downloaded - sent : (stryCov_9fa48("5389"), downloaded + sent) : sent
              });
            }
          }
        }
    }
  }
}
interface Counters {
  readonly bytes: number;
  readonly files: number;
  readonly month: string;
  readonly downloaded: number;
}