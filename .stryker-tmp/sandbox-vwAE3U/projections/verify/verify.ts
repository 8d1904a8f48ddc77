// Verifies that the views match the log: rebuilds all views in a scratch store and compares them with the live ones
// byte for byte at one position, which moves forward with the live ones. Writes only to the scratch store. Memory: some
// thousand documents and events, and the page cache of the scratch store.
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
import { shareOf } from '../../stores/support/share-of-log.ts';
import { type Projection, viewKey } from '../projection.ts';
import { LogAnchorMismatch } from '../start.ts';
import { compareDocuments } from './documents.ts';
import { LiveViews } from './live-views.ts';
import { compareRankings } from './rankings.ts';
import { collectionsOf, isParked, rebuildViews } from './rebuilt-views.ts';
import { Findings, type Report } from './report.ts';
import type { VerifyDeps, VerifyProgress } from './verify-context.ts';

/** Rejects with the signal's reason, and with LogAnchorMismatch if the live views were built from another log. */
export async function verify(deps: VerifyDeps, tell: (progress: VerifyProgress) => void, signal: AbortSignal): Promise<Report> {
  if (stryMutAct_9fa48("8417")) {
    {}
  } else {
    stryCov_9fa48("8417");
    const findings = new Findings();
    const there = await deps.live.list();
    const isThere = stryMutAct_9fa48("8418") ? () => undefined : (stryCov_9fa48("8418"), (() => {
      const isThere = (projection: Projection) => there.includes(viewKey(projection));
      return isThere;
    })());
    for (const projection of stryMutAct_9fa48("8419") ? deps.projections : (stryCov_9fa48("8419"), deps.projections.filter(stryMutAct_9fa48("8420") ? () => undefined : (stryCov_9fa48("8420"), one => stryMutAct_9fa48("8421") ? isThere(one) : (stryCov_9fa48("8421"), !isThere(one)))))) {
      if (stryMutAct_9fa48("8422")) {
        {}
      } else {
        stryCov_9fa48("8422");
        findings.add(stryMutAct_9fa48("8423") ? {} : (stryCov_9fa48("8423"), {
          view: viewKey(projection),
          collection: null,
          id: null,
          field: null,
          live: null,
          rebuilt: stryMutAct_9fa48("8424") ? "" : (stryCov_9fa48("8424"), 'the view')
        }));
      }
    }
    const projections = stryMutAct_9fa48("8425") ? deps.projections : (stryCov_9fa48("8425"), deps.projections.filter(isThere));
    await checkAnchors(stryMutAct_9fa48("8426") ? {} : (stryCov_9fa48("8426"), {
      ...deps,
      projections
    }));
    const head = stryMutAct_9fa48("8427") ? (await deps.log.head()) && '' : (stryCov_9fa48("8427"), (await deps.log.head()) ?? (stryMutAct_9fa48("8428") ? "Stryker was here!" : (stryCov_9fa48("8428"), '')));
    const building = progressReporter(stryMutAct_9fa48("8429") ? "" : (stryCov_9fa48("8429"), 'rebuilding'), tell);
    const reportingLog = reportingReads(deps, stryMutAct_9fa48("8430") ? () => undefined : (stryCov_9fa48("8430"), (position, read) => building(read, shareOf(position, head), null)));
    const rebuiltViews = await rebuildViews(reportingLog, deps.history, deps.scratch, projections);
    const live = new LiveViews(stryMutAct_9fa48("8431") ? {} : (stryCov_9fa48("8431"), {
      ...deps,
      projections
    }), rebuiltViews, signal);
    await live.align();
    const comparing = progressReporter(stryMutAct_9fa48("8432") ? "" : (stryCov_9fa48("8432"), 'comparing'), tell);
    const places = projections.flatMap(stryMutAct_9fa48("8433") ? () => undefined : (stryCov_9fa48("8433"), projection => collectionsOf(projection).map(stryMutAct_9fa48("8434") ? () => undefined : (stryCov_9fa48("8434"), name => stryMutAct_9fa48("8435") ? {} : (stryCov_9fa48("8435"), {
      projection,
      name
    })))));
    let documents = 0;
    let parked = 0;
    for (const [place, {
      projection,
      name
    }] of places.entries()) {
      if (stryMutAct_9fa48("8436")) {
        {}
      } else {
        stryCov_9fa48("8436");
        const at = stryMutAct_9fa48("8437") ? `` : (stryCov_9fa48("8437"), `${viewKey(projection)}/${name}`);
        const compared = stryMutAct_9fa48("8438") ? () => undefined : (stryCov_9fa48("8438"), (() => {
          const compared = (more: number) => comparing(stryMutAct_9fa48("8439") ? documents - more : (stryCov_9fa48("8439"), documents + more), stryMutAct_9fa48("8440") ? place * places.length : (stryCov_9fa48("8440"), place / places.length), at);
          return compared;
        })());
        const found = await compareDocuments(stryMutAct_9fa48("8441") ? {} : (stryCov_9fa48("8441"), {
          deps,
          rebuiltViews,
          live,
          signal,
          compared
        }), projection, name);
        findings.add(...found.differences);
        stryMutAct_9fa48("8442") ? documents -= found.documents : (stryCov_9fa48("8442"), documents += found.documents);
        if (stryMutAct_9fa48("8444") ? false : stryMutAct_9fa48("8443") ? true : (stryCov_9fa48("8443", "8444"), isParked(name))) stryMutAct_9fa48("8445") ? parked -= found.documents : (stryCov_9fa48("8445"), parked += found.documents);
      }
    }
    let ranked: number | null = (stryMutAct_9fa48("8448") ? deps.rankings !== null : stryMutAct_9fa48("8447") ? false : stryMutAct_9fa48("8446") ? true : (stryCov_9fa48("8446", "8447", "8448"), deps.rankings === null)) ? null : 0;
    for (const projection of projections) {
      if (stryMutAct_9fa48("8449")) {
        {}
      } else {
        stryCov_9fa48("8449");
        if (stryMutAct_9fa48("8452") ? deps.rankings !== null : stryMutAct_9fa48("8451") ? false : stryMutAct_9fa48("8450") ? true : (stryCov_9fa48("8450", "8451", "8452"), deps.rankings === null)) break;
        const verifying = stryMutAct_9fa48("8453") ? {} : (stryCov_9fa48("8453"), {
          deps,
          rebuiltViews,
          live,
          signal,
          compared: () => {}
        });
        const found = await compareRankings(verifying, deps.rankings, projection);
        findings.add(...found.differences);
        ranked = stryMutAct_9fa48("8454") ? (ranked ?? 0) - found.members : (stryCov_9fa48("8454"), (stryMutAct_9fa48("8455") ? ranked && 0 : (stryCov_9fa48("8455"), ranked ?? 0)) + found.members);
      }
    }
    const {
      differences,
      found
    } = findings;
    const equal = stryMutAct_9fa48("8458") ? found === 0 || !live.isBehind : stryMutAct_9fa48("8457") ? false : stryMutAct_9fa48("8456") ? true : (stryCov_9fa48("8456", "8457", "8458"), (stryMutAct_9fa48("8460") ? found !== 0 : stryMutAct_9fa48("8459") ? true : (stryCov_9fa48("8459", "8460"), found === 0)) && (stryMutAct_9fa48("8461") ? live.isBehind : (stryCov_9fa48("8461"), !live.isBehind)));
    const {
      at: position,
      events
    } = rebuiltViews;
    return stryMutAct_9fa48("8462") ? {} : (stryCov_9fa48("8462"), {
      equal,
      position,
      events,
      documents,
      ranked,
      parked,
      behind: live.isBehind,
      differences,
      found
    });
  }
}
async function checkAnchors({
  log,
  live,
  projections
}: VerifyDeps): Promise<void> {
  if (stryMutAct_9fa48("8463")) {
    {}
  } else {
    stryCov_9fa48("8463");
    const ids = new Map<string, string | null>();
    for (const projection of projections) {
      if (stryMutAct_9fa48("8464")) {
        {}
      } else {
        stryCov_9fa48("8464");
        for (const {
          position,
          eventId
        } of (await live.checkpoints(viewKey(projection))).values()) {
          if (stryMutAct_9fa48("8465")) {
            {}
          } else {
            stryCov_9fa48("8465");
            if (stryMutAct_9fa48("8468") ? false : stryMutAct_9fa48("8467") ? true : stryMutAct_9fa48("8466") ? ids.has(position) : (stryCov_9fa48("8466", "8467", "8468"), !ids.has(position))) ids.set(position, stryMutAct_9fa48("8469") ? (await log.eventAt(position))?.id && null : (stryCov_9fa48("8469"), (stryMutAct_9fa48("8470") ? (await log.eventAt(position)).id : (stryCov_9fa48("8470"), (await log.eventAt(position))?.id)) ?? null));
            if (stryMutAct_9fa48("8473") ? ids.get(position) === eventId : stryMutAct_9fa48("8472") ? false : stryMutAct_9fa48("8471") ? true : (stryCov_9fa48("8471", "8472", "8473"), ids.get(position) !== eventId)) throw new LogAnchorMismatch(viewKey(projection), position);
          }
        }
      }
    }
  }
}

/** The log, reporting after each page how far it was read. */
function reportingReads({
  log
}: VerifyDeps, reportingLog: (position: string, read: number) => void): VerifyDeps['log'] {
  if (stryMutAct_9fa48("8474")) {
    {}
  } else {
    stryCov_9fa48("8474");
    let read = 0;
    return stryMutAct_9fa48("8475") ? {} : (stryCov_9fa48("8475"), {
      ...log,
      readAll: async (after, limit) => {
        if (stryMutAct_9fa48("8476")) {
          {}
        } else {
          stryCov_9fa48("8476");
          const events = await log.readAll(after, limit);
          stryMutAct_9fa48("8477") ? read -= events.length : (stryCov_9fa48("8477"), read += events.length);
          reportingLog(stryMutAct_9fa48("8478") ? (events.at(-1)?.position ?? after) && '' : (stryCov_9fa48("8478"), (stryMutAct_9fa48("8479") ? events.at(-1)?.position && after : (stryCov_9fa48("8479"), (stryMutAct_9fa48("8480") ? events.at(-1).position : (stryCov_9fa48("8480"), events.at(stryMutAct_9fa48("8481") ? +1 : (stryCov_9fa48("8481"), -1))?.position)) ?? after)) ?? (stryMutAct_9fa48("8482") ? "Stryker was here!" : (stryCov_9fa48("8482"), ''))), read);
          return events;
        }
      }
    });
  }
}
function progressReporter(phase: VerifyProgress['phase'], tell: (progress: VerifyProgress) => void) {
  if (stryMutAct_9fa48("8483")) {
    {}
  } else {
    stryCov_9fa48("8483");
    const startedMs = performance.now();
    return (done: number, share: number, at: string | null) => {
      if (stryMutAct_9fa48("8484")) {
        {}
      } else {
        stryCov_9fa48("8484");
        const seconds = stryMutAct_9fa48("8485") ? (performance.now() - startedMs) * 1_000 : (stryCov_9fa48("8485"), (stryMutAct_9fa48("8486") ? performance.now() + startedMs : (stryCov_9fa48("8486"), performance.now() - startedMs)) / 1_000);
        const eta = (stryMutAct_9fa48("8490") ? share <= 0 : stryMutAct_9fa48("8489") ? share >= 0 : stryMutAct_9fa48("8488") ? false : stryMutAct_9fa48("8487") ? true : (stryCov_9fa48("8487", "8488", "8489", "8490"), share > 0)) ? Math.round(stryMutAct_9fa48("8491") ? seconds * (1 - share) * share : (stryCov_9fa48("8491"), (stryMutAct_9fa48("8492") ? seconds / (1 - share) : (stryCov_9fa48("8492"), seconds * (stryMutAct_9fa48("8493") ? 1 + share : (stryCov_9fa48("8493"), 1 - share)))) / share)) : null;
        tell(stryMutAct_9fa48("8494") ? {} : (stryCov_9fa48("8494"), {
          phase,
          done,
          share,
          per_second: Math.round(stryMutAct_9fa48("8495") ? done * Math.max(seconds, 0.001) : (stryCov_9fa48("8495"), done / (stryMutAct_9fa48("8496") ? Math.min(seconds, 0.001) : (stryCov_9fa48("8496"), Math.max(seconds, 0.001))))),
          eta_seconds: eta,
          at
        }));
      }
    };
  }
}