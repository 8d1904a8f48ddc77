// The names of our streams: what they begin with, and how one is made and read. Nobody else takes one apart.

/** In a log shared with others, what begins so is ours. */function stryNS_9fa48() {
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
export const STREAM_PREFIXES = ['game-', 'key-', 'player-', 'external-', 'login-', 'mail-', 'session-', 'board-', 'lb_', 'bucket-', 'quota-', 'folder-', 'file-', 'upload-', 'slots-', 'deletions-'] as const;

/** Of those, streams named by digests under the root secret: an installation with another one does not find them. */
const KEYED: ReadonlySet<StreamPrefix> = new Set(stryMutAct_9fa48("4724") ? [] : (stryCov_9fa48("4724"), [stryMutAct_9fa48("4725") ? "" : (stryCov_9fa48("4725"), 'external-'), stryMutAct_9fa48("4726") ? "" : (stryCov_9fa48("4726"), 'login-'), stryMutAct_9fa48("4727") ? "" : (stryCov_9fa48("4727"), 'mail-'), stryMutAct_9fa48("4728") ? "" : (stryCov_9fa48("4728"), 'folder-'), stryMutAct_9fa48("4729") ? "" : (stryCov_9fa48("4729"), 'file-')]));
type StreamPrefix = (typeof STREAM_PREFIXES)[number];

/** `<prefix><id>`, or `<prefix><id>.<second>`. */
export function streamName(prefix: StreamPrefix, id: string, second?: string): string {
  if (stryMutAct_9fa48("4730")) {
    {}
  } else {
    stryCov_9fa48("4730");
    return (stryMutAct_9fa48("4733") ? second !== undefined : stryMutAct_9fa48("4732") ? false : stryMutAct_9fa48("4731") ? true : (stryCov_9fa48("4731", "4732", "4733"), second === undefined)) ? stryMutAct_9fa48("4734") ? prefix - id : (stryCov_9fa48("4734"), prefix + id) : stryMutAct_9fa48("4735") ? `` : (stryCov_9fa48("4735"), `${prefix}${id}.${second}`);
  }
}
export const isNamed = stryMutAct_9fa48("4736") ? () => undefined : (stryCov_9fa48("4736"), (() => {
  const isNamed = (stream: string, prefix: StreamPrefix): boolean => stryMutAct_9fa48("4737") ? stream.endsWith(prefix) : (stryCov_9fa48("4737"), stream.startsWith(prefix));
  return isNamed;
})());

/** Whether it is named by a digest under the root secret. */
export const isKeyed = stryMutAct_9fa48("4738") ? () => undefined : (stryCov_9fa48("4738"), (() => {
  const isKeyed = (stream: string): boolean => stryMutAct_9fa48("4739") ? [...KEYED].every(prefix => isNamed(stream, prefix)) : (stryCov_9fa48("4739"), (stryMutAct_9fa48("4740") ? [] : (stryCov_9fa48("4740"), [...KEYED])).some(stryMutAct_9fa48("4741") ? () => undefined : (stryCov_9fa48("4741"), prefix => isNamed(stream, prefix))));
  return isKeyed;
})());

/** All behind the prefix: the id, or both as they stand there. */
export const idIn = stryMutAct_9fa48("4742") ? () => undefined : (stryCov_9fa48("4742"), (() => {
  const idIn = (stream: string): string => stryMutAct_9fa48("4743") ? stream : (stryCov_9fa48("4743"), stream.slice(stryMutAct_9fa48("4744") ? stream.search(/[-_]/) - 1 : (stryCov_9fa48("4744"), stream.search(stryMutAct_9fa48("4745") ? /[^-_]/ : (stryCov_9fa48("4745"), /[-_]/)) + 1)));
  return idIn;
})());

/** Of a name of two ids both, of one the second one empty. */
export function idsIn(stream: string): readonly [first: string, second: string] {
  if (stryMutAct_9fa48("4746")) {
    {}
  } else {
    stryCov_9fa48("4746");
    const [first = stryMutAct_9fa48("4747") ? "Stryker was here!" : (stryCov_9fa48("4747"), ''), second = stryMutAct_9fa48("4748") ? "Stryker was here!" : (stryCov_9fa48("4748"), '')] = idIn(stream).split(stryMutAct_9fa48("4749") ? "" : (stryCov_9fa48("4749"), '.'));
    return stryMutAct_9fa48("4750") ? [] : (stryCov_9fa48("4750"), [first, second]);
  }
}