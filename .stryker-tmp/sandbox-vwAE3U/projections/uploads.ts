// The view of uploads that have reserved space and are not settled, by expiry time.
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
import type { StoredEvent } from '../domain/event.ts';
import { idIn } from '../domain/streams.ts';
import type { Projection } from './projection.ts';
export const uploads: Projection = stryMutAct_9fa48("7874") ? {} : (stryCov_9fa48("7874"), {
  name: stryMutAct_9fa48("7875") ? "" : (stryCov_9fa48("7875"), 'uploads'),
  version: 1,
  collections: stryMutAct_9fa48("7876") ? [] : (stryCov_9fa48("7876"), [stryMutAct_9fa48("7877") ? {} : (stryCov_9fa48("7877"), {
    name: stryMutAct_9fa48("7878") ? "" : (stryCov_9fa48("7878"), 'uploads'),
    indexes: stryMutAct_9fa48("7879") ? {} : (stryCov_9fa48("7879"), {
      expires: stryMutAct_9fa48("7880") ? [] : (stryCov_9fa48("7880"), [stryMutAct_9fa48("7881") ? "" : (stryCov_9fa48("7881"), 'expires')])
    })
  })]),
  takes: stryMutAct_9fa48("7882") ? [] : (stryCov_9fa48("7882"), [stryMutAct_9fa48("7883") ? "" : (stryCov_9fa48("7883"), 'UploadBegun'), stryMutAct_9fa48("7884") ? "" : (stryCov_9fa48("7884"), 'UploadSettled'), stryMutAct_9fa48("7885") ? "" : (stryCov_9fa48("7885"), 'UploadReleased')]),
  needs: stryMutAct_9fa48("7886") ? () => undefined : (stryCov_9fa48("7886"), event => stryMutAct_9fa48("7887") ? [] : (stryCov_9fa48("7887"), [stryMutAct_9fa48("7888") ? [] : (stryCov_9fa48("7888"), [stryMutAct_9fa48("7889") ? "" : (stryCov_9fa48("7889"), 'uploads'), uploadOf(event)])])),
  handle(event, docs) {
    if (stryMutAct_9fa48("7890")) {
      {}
    } else {
      stryCov_9fa48("7890");
      const id = uploadOf(event);
      if (stryMutAct_9fa48("7893") ? event.type === 'UploadBegun' : stryMutAct_9fa48("7892") ? false : stryMutAct_9fa48("7891") ? true : (stryCov_9fa48("7891", "7892", "7893"), event.type !== (stryMutAct_9fa48("7894") ? "" : (stryCov_9fa48("7894"), 'UploadBegun')))) return docs.remove(stryMutAct_9fa48("7895") ? "" : (stryCov_9fa48("7895"), 'uploads'), id);
      const {
        expires = null
      } = event.data;
      docs.put(stryMutAct_9fa48("7896") ? "" : (stryCov_9fa48("7896"), 'uploads'), id, stryMutAct_9fa48("7897") ? {} : (stryCov_9fa48("7897"), {
        id,
        bucket: idIn(event.stream),
        game: event.meta.game,
        expires
      }));
    }
  }
});
const uploadOf = stryMutAct_9fa48("7898") ? () => undefined : (stryCov_9fa48("7898"), (() => {
  const uploadOf = ({
    data
  }: StoredEvent): string => String(data.upload);
  return uploadOf;
})());