// The view of blobs that belong to a file or to an upload in progress. Any other blob in the file store is an orphan.
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
import { type StoredEvent, unsafeCast } from '../domain/event.ts';
import type { Replaced } from '../domain/file.ts';
import { idsIn } from '../domain/streams.ts';
import type { Projection } from './projection.ts';
export const blobs: Projection = stryMutAct_9fa48("5245") ? {} : (stryCov_9fa48("5245"), {
  name: stryMutAct_9fa48("5246") ? "" : (stryCov_9fa48("5246"), 'blobs'),
  version: 1,
  collections: stryMutAct_9fa48("5247") ? [] : (stryCov_9fa48("5247"), [stryMutAct_9fa48("5248") ? {} : (stryCov_9fa48("5248"), {
    name: stryMutAct_9fa48("5249") ? "" : (stryCov_9fa48("5249"), 'blobs'),
    indexes: {}
  })]),
  takes: stryMutAct_9fa48("5250") ? [] : (stryCov_9fa48("5250"), [stryMutAct_9fa48("5251") ? "" : (stryCov_9fa48("5251"), 'UploadOpened'), stryMutAct_9fa48("5252") ? "" : (stryCov_9fa48("5252"), 'UploadExpired'), stryMutAct_9fa48("5253") ? "" : (stryCov_9fa48("5253"), 'FileStored'), stryMutAct_9fa48("5254") ? "" : (stryCov_9fa48("5254"), 'FileOverwritten'), stryMutAct_9fa48("5255") ? "" : (stryCov_9fa48("5255"), 'FileDeleted')]),
  needs: stryMutAct_9fa48("5256") ? () => undefined : (stryCov_9fa48("5256"), event => (stryMutAct_9fa48("5257") ? [] : (stryCov_9fa48("5257"), [...kept(event), ...released(event)])).map(stryMutAct_9fa48("5258") ? () => undefined : (stryCov_9fa48("5258"), blob => ['blobs', blob] as const))),
  handle(event, docs) {
    if (stryMutAct_9fa48("5259")) {
      {}
    } else {
      stryCov_9fa48("5259");
      const {
        game
      } = event.meta;
      for (const blob of kept(event)) {
        if (stryMutAct_9fa48("5260")) {
          {}
        } else {
          stryCov_9fa48("5260");
          const bucket = (stryMutAct_9fa48("5263") ? event.type !== 'UploadOpened' : stryMutAct_9fa48("5262") ? false : stryMutAct_9fa48("5261") ? true : (stryCov_9fa48("5261", "5262", "5263"), event.type === (stryMutAct_9fa48("5264") ? "" : (stryCov_9fa48("5264"), 'UploadOpened')))) ? String(event.data.bucket) : idsIn(event.stream)[0];
          docs.put(stryMutAct_9fa48("5265") ? "" : (stryCov_9fa48("5265"), 'blobs'), blob, stryMutAct_9fa48("5266") ? {} : (stryCov_9fa48("5266"), {
            blob,
            game,
            bucket,
            isFiles: stryMutAct_9fa48("5269") ? event.type === 'UploadOpened' : stryMutAct_9fa48("5268") ? false : stryMutAct_9fa48("5267") ? true : (stryCov_9fa48("5267", "5268", "5269"), event.type !== (stryMutAct_9fa48("5270") ? "" : (stryCov_9fa48("5270"), 'UploadOpened')))
          }));
        }
      }
      for (const blob of released(event)) docs.remove(stryMutAct_9fa48("5271") ? "" : (stryCov_9fa48("5271"), 'blobs'), blob);
    }
  }
});
function kept({
  type,
  data
}: StoredEvent): string[] {
  if (stryMutAct_9fa48("5272")) {
    {}
  } else {
    stryCov_9fa48("5272");
    return (stryMutAct_9fa48("5275") ? type === 'UploadExpired' && type === 'FileDeleted' : stryMutAct_9fa48("5274") ? false : stryMutAct_9fa48("5273") ? true : (stryCov_9fa48("5273", "5274", "5275"), (stryMutAct_9fa48("5277") ? type !== 'UploadExpired' : stryMutAct_9fa48("5276") ? false : (stryCov_9fa48("5276", "5277"), type === (stryMutAct_9fa48("5278") ? "" : (stryCov_9fa48("5278"), 'UploadExpired')))) || (stryMutAct_9fa48("5280") ? type !== 'FileDeleted' : stryMutAct_9fa48("5279") ? false : (stryCov_9fa48("5279", "5280"), type === (stryMutAct_9fa48("5281") ? "" : (stryCov_9fa48("5281"), 'FileDeleted')))))) ? stryMutAct_9fa48("5282") ? ["Stryker was here"] : (stryCov_9fa48("5282"), []) : stryMutAct_9fa48("5283") ? [] : (stryCov_9fa48("5283"), [String(data.blob)]);
  }
}

/** Blobs that belong to no file or upload after this event. */
function released({
  type,
  data
}: StoredEvent): string[] {
  if (stryMutAct_9fa48("5284")) {
    {}
  } else {
    stryCov_9fa48("5284");
    if (stryMutAct_9fa48("5287") ? type !== 'UploadExpired' : stryMutAct_9fa48("5286") ? false : stryMutAct_9fa48("5285") ? true : (stryCov_9fa48("5285", "5286", "5287"), type === (stryMutAct_9fa48("5288") ? "" : (stryCov_9fa48("5288"), 'UploadExpired')))) return (stryMutAct_9fa48("5291") ? data.blob !== null : stryMutAct_9fa48("5290") ? false : stryMutAct_9fa48("5289") ? true : (stryCov_9fa48("5289", "5290", "5291"), data.blob === null)) ? stryMutAct_9fa48("5292") ? ["Stryker was here"] : (stryCov_9fa48("5292"), []) : stryMutAct_9fa48("5293") ? [] : (stryCov_9fa48("5293"), [String(data.blob)]);
    if (stryMutAct_9fa48("5296") ? type !== 'FileDeleted' : stryMutAct_9fa48("5295") ? false : stryMutAct_9fa48("5294") ? true : (stryCov_9fa48("5294", "5295", "5296"), type === (stryMutAct_9fa48("5297") ? "" : (stryCov_9fa48("5297"), 'FileDeleted')))) return stryMutAct_9fa48("5298") ? [] : (stryCov_9fa48("5298"), [String(data.blob)]);
    const replaced = unsafeCast<Replaced | null>(stryMutAct_9fa48("5299") ? data.replaced && null : (stryCov_9fa48("5299"), data.replaced ?? null));
    return (stryMutAct_9fa48("5302") ? replaced !== null : stryMutAct_9fa48("5301") ? false : stryMutAct_9fa48("5300") ? true : (stryCov_9fa48("5300", "5301", "5302"), replaced === null)) ? stryMutAct_9fa48("5303") ? ["Stryker was here"] : (stryCov_9fa48("5303"), []) : stryMutAct_9fa48("5304") ? [] : (stryCov_9fa48("5304"), [replaced.blob]);
  }
}