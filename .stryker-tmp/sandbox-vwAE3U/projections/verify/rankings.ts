// Compares the live rankings with the rebuilt documents, whose index by member is in rank order. A member that only one
// side has is checked again, because the ranking changes while it is read.
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
import { ALL_PARTITIONS } from '../../domain/partition.ts';
import { yieldToEventLoop } from '../../scheduling/yield-to-event-loop.ts';
import { type AllRankings, type Rankings, RankingsLost } from '../../stores/contract/rankings.ts';
import { type Projection, type Ranked, viewKey } from '../projection.ts';
import type { Difference } from './report.ts';
import type { VerifyContext } from './verify-context.ts';
const PAGE = 5_000;
const MAX_CHECKS = 3;
interface OneRanking {
  readonly view: string;
  readonly ranked: Ranked;
  readonly key: string;
  readonly rankings: Rankings;
}

/** Returns the number of members compared and the differences. The id of a difference is the ranking's key. */
export async function compareRankings(context: VerifyContext, all: AllRankings, projection: Projection): Promise<{
  readonly members: number;
  readonly differences: Difference[];
}> {
  if (stryMutAct_9fa48("8086")) {
    {}
  } else {
    stryCov_9fa48("8086");
    const {
      ranked
    } = projection;
    const differences: Difference[] = stryMutAct_9fa48("8087") ? ["Stryker was here"] : (stryCov_9fa48("8087"), []);
    let members = 0;
    if (stryMutAct_9fa48("8090") ? ranked !== undefined : stryMutAct_9fa48("8089") ? false : stryMutAct_9fa48("8088") ? true : (stryCov_9fa48("8088", "8089", "8090"), ranked === undefined)) return stryMutAct_9fa48("8091") ? {} : (stryCov_9fa48("8091"), {
      members,
      differences
    });
    const view = viewKey(projection);
    for (const partition of ALL_PARTITIONS) {
      if (stryMutAct_9fa48("8092")) {
        {}
      } else {
        stryCov_9fa48("8092");
        const rankings = all.of(view, partition);
        try {
          if (stryMutAct_9fa48("8093")) {
            {}
          } else {
            stryCov_9fa48("8093");
            for await (const key of keysOf(context, view, ranked, partition)) {
              if (stryMutAct_9fa48("8094")) {
                {}
              } else {
                stryCov_9fa48("8094");
                const found = await compareOne(context, stryMutAct_9fa48("8095") ? {} : (stryCov_9fa48("8095"), {
                  view,
                  ranked,
                  key,
                  rankings
                }));
                stryMutAct_9fa48("8096") ? members -= found.members : (stryCov_9fa48("8096"), members += found.members);
                differences.push(...found.differences);
              }
            }
          }
        } catch (error) {
          if (stryMutAct_9fa48("8097")) {
            {}
          } else {
            stryCov_9fa48("8097");
            if (stryMutAct_9fa48("8100") ? false : stryMutAct_9fa48("8099") ? true : stryMutAct_9fa48("8098") ? error instanceof RankingsLost : (stryCov_9fa48("8098", "8099", "8100"), !(error instanceof RankingsLost))) throw error;
            const id = stryMutAct_9fa48("8101") ? `` : (stryCov_9fa48("8101"), `partition ${partition}`);
            differences.push(stryMutAct_9fa48("8102") ? {} : (stryCov_9fa48("8102"), {
              view,
              collection: stryMutAct_9fa48("8103") ? "" : (stryCov_9fa48("8103"), 'rankings'),
              id,
              field: null,
              live: null,
              rebuilt: stryMutAct_9fa48("8104") ? "" : (stryCov_9fa48("8104"), 'not filled: read again later')
            }));
          }
        }
      }
    }
    return stryMutAct_9fa48("8105") ? {} : (stryCov_9fa48("8105"), {
      members,
      differences
    });
  }
}
async function* keysOf({
  rebuiltViews
}: VerifyContext, view: string, {
  keys,
  byPartition,
  key
}: Ranked, partition: number) {
  if (stryMutAct_9fa48("8106")) {
    {}
  } else {
    stryCov_9fa48("8106");
    if (stryMutAct_9fa48("8107")) {
      for (let after: string | undefined; false;) {
        const bound = after === undefined ? {} : {
          after
        };
        const find = {
          view,
          collection: keys,
          index: byPartition,
          equal: [partition],
          ...bound,
          limit: PAGE
        };
        const named = (await rebuiltViews.views.find(find)).map(({
          body
        }) => body[key] as string);
        yield* named;
        if (named.length < PAGE) return;
        after = named.at(-1);
      }
    } else {
      stryCov_9fa48("8107");
      for (let after: string | undefined;;) {
        if (stryMutAct_9fa48("8108")) {
          {}
        } else {
          stryCov_9fa48("8108");
          const bound = (stryMutAct_9fa48("8111") ? after !== undefined : stryMutAct_9fa48("8110") ? false : stryMutAct_9fa48("8109") ? true : (stryCov_9fa48("8109", "8110", "8111"), after === undefined)) ? {} : stryMutAct_9fa48("8112") ? {} : (stryCov_9fa48("8112"), {
            after
          });
          const find = stryMutAct_9fa48("8113") ? {} : (stryCov_9fa48("8113"), {
            view,
            collection: keys,
            index: byPartition,
            equal: stryMutAct_9fa48("8114") ? [] : (stryCov_9fa48("8114"), [partition]),
            ...bound,
            limit: PAGE
          });
          const named = (await rebuiltViews.views.find(find)).map(stryMutAct_9fa48("8115") ? () => undefined : (stryCov_9fa48("8115"), ({
            body
          }) => body[key] as string));
          yield* named;
          if (stryMutAct_9fa48("8119") ? named.length >= PAGE : stryMutAct_9fa48("8118") ? named.length <= PAGE : stryMutAct_9fa48("8117") ? false : stryMutAct_9fa48("8116") ? true : (stryCov_9fa48("8116", "8117", "8118", "8119"), named.length < PAGE)) return;
          after = named.at(stryMutAct_9fa48("8120") ? +1 : (stryCov_9fa48("8120"), -1));
        }
      }
    }
  }
}
async function compareOne(context: VerifyContext, one: OneRanking) {
  if (stryMutAct_9fa48("8121")) {
    {}
  } else {
    stryCov_9fa48("8121");
    const differences: Difference[] = stryMutAct_9fa48("8122") ? ["Stryker was here"] : (stryCov_9fa48("8122"), []);
    let members = 0;
    if (stryMutAct_9fa48("8123")) {
      for (let after: string | null = null; false;) {
        context.signal.throwIfAborted();
        const rebuilt = await rebuiltPage(context, one, after);
        const live = await livePage(one, after);
        if (!isAscending(live)) differences.push(differenceOf(one, 'order', 'not ascending', 'ascending'));
        const until = lastOfBoth(live, rebuilt);
        const here = new Set(until === null ? live : live.filter(member => member <= until));
        const there = new Set(until === null ? rebuilt : rebuilt.filter(member => member <= until));
        const apart = [...[...here].filter(member => !there.has(member)), ...[...there].filter(member => !here.has(member))];
        members += here.size;
        differences.push(...(await checkAgain(context, one, apart)));
        if (until === null) return {
          members,
          differences
        };
        after = until;
        await yieldToEventLoop();
      }
    } else {
      stryCov_9fa48("8123");
      for (let after: string | null = null;;) {
        if (stryMutAct_9fa48("8124")) {
          {}
        } else {
          stryCov_9fa48("8124");
          context.signal.throwIfAborted();
          const rebuilt = await rebuiltPage(context, one, after);
          const live = await livePage(one, after);
          if (stryMutAct_9fa48("8127") ? false : stryMutAct_9fa48("8126") ? true : stryMutAct_9fa48("8125") ? isAscending(live) : (stryCov_9fa48("8125", "8126", "8127"), !isAscending(live))) differences.push(differenceOf(one, stryMutAct_9fa48("8128") ? "" : (stryCov_9fa48("8128"), 'order'), stryMutAct_9fa48("8129") ? "" : (stryCov_9fa48("8129"), 'not ascending'), stryMutAct_9fa48("8130") ? "" : (stryCov_9fa48("8130"), 'ascending')));
          const until = lastOfBoth(live, rebuilt);
          const here = new Set((stryMutAct_9fa48("8133") ? until !== null : stryMutAct_9fa48("8132") ? false : stryMutAct_9fa48("8131") ? true : (stryCov_9fa48("8131", "8132", "8133"), until === null)) ? live : stryMutAct_9fa48("8134") ? live : (stryCov_9fa48("8134"), live.filter(stryMutAct_9fa48("8135") ? () => undefined : (stryCov_9fa48("8135"), member => stryMutAct_9fa48("8139") ? member > until : stryMutAct_9fa48("8138") ? member < until : stryMutAct_9fa48("8137") ? false : stryMutAct_9fa48("8136") ? true : (stryCov_9fa48("8136", "8137", "8138", "8139"), member <= until)))));
          const there = new Set((stryMutAct_9fa48("8142") ? until !== null : stryMutAct_9fa48("8141") ? false : stryMutAct_9fa48("8140") ? true : (stryCov_9fa48("8140", "8141", "8142"), until === null)) ? rebuilt : stryMutAct_9fa48("8143") ? rebuilt : (stryCov_9fa48("8143"), rebuilt.filter(stryMutAct_9fa48("8144") ? () => undefined : (stryCov_9fa48("8144"), member => stryMutAct_9fa48("8148") ? member > until : stryMutAct_9fa48("8147") ? member < until : stryMutAct_9fa48("8146") ? false : stryMutAct_9fa48("8145") ? true : (stryCov_9fa48("8145", "8146", "8147", "8148"), member <= until)))));
          const apart = stryMutAct_9fa48("8149") ? [] : (stryCov_9fa48("8149"), [...(stryMutAct_9fa48("8150") ? [...here] : (stryCov_9fa48("8150"), (stryMutAct_9fa48("8151") ? [] : (stryCov_9fa48("8151"), [...here])).filter(stryMutAct_9fa48("8152") ? () => undefined : (stryCov_9fa48("8152"), member => stryMutAct_9fa48("8153") ? there.has(member) : (stryCov_9fa48("8153"), !there.has(member)))))), ...(stryMutAct_9fa48("8154") ? [...there] : (stryCov_9fa48("8154"), (stryMutAct_9fa48("8155") ? [] : (stryCov_9fa48("8155"), [...there])).filter(stryMutAct_9fa48("8156") ? () => undefined : (stryCov_9fa48("8156"), member => stryMutAct_9fa48("8157") ? here.has(member) : (stryCov_9fa48("8157"), !here.has(member))))))]);
          stryMutAct_9fa48("8158") ? members -= here.size : (stryCov_9fa48("8158"), members += here.size);
          differences.push(...(await checkAgain(context, one, apart)));
          if (stryMutAct_9fa48("8161") ? until !== null : stryMutAct_9fa48("8160") ? false : stryMutAct_9fa48("8159") ? true : (stryCov_9fa48("8159", "8160", "8161"), until === null)) return stryMutAct_9fa48("8162") ? {} : (stryCov_9fa48("8162"), {
            members,
            differences
          });
          after = until;
          await yieldToEventLoop();
        }
      }
    }
  }
}
function lastOfBoth(...pages: readonly (readonly string[])[]): string | null {
  if (stryMutAct_9fa48("8163")) {
    {}
  } else {
    stryCov_9fa48("8163");
    const ends = stryMutAct_9fa48("8164") ? pages.map(page => page.at(-1) ?? '') : (stryCov_9fa48("8164"), pages.filter(stryMutAct_9fa48("8165") ? () => undefined : (stryCov_9fa48("8165"), ({
      length
    }) => stryMutAct_9fa48("8169") ? length < PAGE : stryMutAct_9fa48("8168") ? length > PAGE : stryMutAct_9fa48("8167") ? false : stryMutAct_9fa48("8166") ? true : (stryCov_9fa48("8166", "8167", "8168", "8169"), length >= PAGE))).map(stryMutAct_9fa48("8170") ? () => undefined : (stryCov_9fa48("8170"), page => stryMutAct_9fa48("8171") ? page.at(-1) && '' : (stryCov_9fa48("8171"), page.at(stryMutAct_9fa48("8172") ? +1 : (stryCov_9fa48("8172"), -1)) ?? (stryMutAct_9fa48("8173") ? "Stryker was here!" : (stryCov_9fa48("8173"), ''))))));
    return (stryMutAct_9fa48("8176") ? ends.length !== 0 : stryMutAct_9fa48("8175") ? false : stryMutAct_9fa48("8174") ? true : (stryCov_9fa48("8174", "8175", "8176"), ends.length === 0)) ? null : ends.reduce(stryMutAct_9fa48("8177") ? () => undefined : (stryCov_9fa48("8177"), (least, one) => (stryMutAct_9fa48("8181") ? one >= least : stryMutAct_9fa48("8180") ? one <= least : stryMutAct_9fa48("8179") ? false : stryMutAct_9fa48("8178") ? true : (stryCov_9fa48("8178", "8179", "8180", "8181"), one < least)) ? one : least));
  }
}
const isAscending = stryMutAct_9fa48("8182") ? () => undefined : (stryCov_9fa48("8182"), (() => {
  const isAscending = (members: readonly string[]): boolean => stryMutAct_9fa48("8183") ? members.some((member, place) => place === 0 || (members[place - 1] as string) < member) : (stryCov_9fa48("8183"), members.every(stryMutAct_9fa48("8184") ? () => undefined : (stryCov_9fa48("8184"), (member, place) => stryMutAct_9fa48("8187") ? place === 0 && (members[place - 1] as string) < member : stryMutAct_9fa48("8186") ? false : stryMutAct_9fa48("8185") ? true : (stryCov_9fa48("8185", "8186", "8187"), (stryMutAct_9fa48("8189") ? place !== 0 : stryMutAct_9fa48("8188") ? false : (stryCov_9fa48("8188", "8189"), place === 0)) || (stryMutAct_9fa48("8192") ? members[place - 1] as string >= member : stryMutAct_9fa48("8191") ? (members[place - 1] as string) <= member : stryMutAct_9fa48("8190") ? false : (stryCov_9fa48("8190", "8191", "8192"), (members[place - 1] as string) < member))))));
  return isAscending;
})());
async function rebuiltPage({
  rebuiltViews
}: VerifyContext, {
  view,
  ranked,
  key
}: OneRanking, after: string | null) {
  if (stryMutAct_9fa48("8193")) {
    {}
  } else {
    stryCov_9fa48("8193");
    const {
      collection,
      index,
      member
    } = ranked;
    const bound = (stryMutAct_9fa48("8196") ? after !== null : stryMutAct_9fa48("8195") ? false : stryMutAct_9fa48("8194") ? true : (stryCov_9fa48("8194", "8195", "8196"), after === null)) ? {} : stryMutAct_9fa48("8197") ? {} : (stryCov_9fa48("8197"), {
      after
    });
    const found = await rebuiltViews.views.find(stryMutAct_9fa48("8198") ? {} : (stryCov_9fa48("8198"), {
      view,
      collection,
      index,
      equal: stryMutAct_9fa48("8199") ? [] : (stryCov_9fa48("8199"), [key]),
      ...bound,
      limit: PAGE
    }));
    return found.map(stryMutAct_9fa48("8200") ? () => undefined : (stryCov_9fa48("8200"), ({
      body
    }) => body[member] as string));
  }
}

/** Members may move between the two reads. Then a member seems to be missing and is checked again. */
async function livePage({
  rankings,
  key
}: OneRanking, after: string | null): Promise<string[]> {
  if (stryMutAct_9fa48("8201")) {
    {}
  } else {
    stryCov_9fa48("8201");
    const offset = (stryMutAct_9fa48("8204") ? after !== null : stryMutAct_9fa48("8203") ? false : stryMutAct_9fa48("8202") ? true : (stryCov_9fa48("8202", "8203", "8204"), after === null)) ? 0 : await rankings.before(key, after);
    const read = await rankings.range(key, offset, stryMutAct_9fa48("8205") ? PAGE - 1 : (stryCov_9fa48("8205"), PAGE + 1));
    return stryMutAct_9fa48("8207") ? read.slice(0, PAGE) : stryMutAct_9fa48("8206") ? read.filter(member => after === null || member > after) : (stryCov_9fa48("8206", "8207"), read.filter(stryMutAct_9fa48("8208") ? () => undefined : (stryCov_9fa48("8208"), member => stryMutAct_9fa48("8211") ? after === null && member > after : stryMutAct_9fa48("8210") ? false : stryMutAct_9fa48("8209") ? true : (stryCov_9fa48("8209", "8210", "8211"), (stryMutAct_9fa48("8213") ? after !== null : stryMutAct_9fa48("8212") ? false : (stryCov_9fa48("8212", "8213"), after === null)) || (stryMutAct_9fa48("8216") ? member <= after : stryMutAct_9fa48("8215") ? member >= after : stryMutAct_9fa48("8214") ? false : (stryCov_9fa48("8214", "8215", "8216"), member > after))))).slice(0, PAGE));
  }
}

/** Checks again, each time at a later position of the log, whether both sides have these members. */
async function checkAgain(context: VerifyContext, one: OneRanking, members: readonly string[]): Promise<Difference[]> {
  if (stryMutAct_9fa48("8217")) {
    {}
  } else {
    stryCov_9fa48("8217");
    const {
      view,
      ranked,
      key,
      rankings
    } = one;
    let left = members.map(stryMutAct_9fa48("8218") ? () => undefined : (stryCov_9fa48("8218"), member => stryMutAct_9fa48("8219") ? {} : (stryCov_9fa48("8219"), {
      member,
      isHere: stryMutAct_9fa48("8220") ? true : (stryCov_9fa48("8220"), false)
    })));
    for (let check = 0; stryMutAct_9fa48("8222") ? check < MAX_CHECKS || left.length > 0 : stryMutAct_9fa48("8221") ? false : (stryCov_9fa48("8221", "8222"), (stryMutAct_9fa48("8225") ? check >= MAX_CHECKS : stryMutAct_9fa48("8224") ? check <= MAX_CHECKS : stryMutAct_9fa48("8223") ? true : (stryCov_9fa48("8223", "8224", "8225"), check < MAX_CHECKS)) && (stryMutAct_9fa48("8228") ? left.length <= 0 : stryMutAct_9fa48("8227") ? left.length >= 0 : stryMutAct_9fa48("8226") ? true : (stryCov_9fa48("8226", "8227", "8228"), left.length > 0))); stryMutAct_9fa48("8229") ? check-- : (stryCov_9fa48("8229"), check++)) {
      if (stryMutAct_9fa48("8230")) {
        {}
      } else {
        stryCov_9fa48("8230");
        await context.live.align();
        const asked = left.map(stryMutAct_9fa48("8231") ? () => undefined : (stryCov_9fa48("8231"), ({
          member
        }) => member));
        const places = await rankings.ranks(key, asked);
        const apart: typeof left = stryMutAct_9fa48("8232") ? ["Stryker was here"] : (stryCov_9fa48("8232"), []);
        for (const [at, member] of asked.entries()) {
          if (stryMutAct_9fa48("8233")) {
            {}
          } else {
            stryCov_9fa48("8233");
            const find = stryMutAct_9fa48("8234") ? {} : (stryCov_9fa48("8234"), {
              view,
              collection: ranked.collection,
              index: ranked.index,
              equal: stryMutAct_9fa48("8235") ? [] : (stryCov_9fa48("8235"), [key]),
              from: member,
              limit: 1
            });
            const [rebuilt] = await context.rebuiltViews.views.find(find);
            const isHere = stryMutAct_9fa48("8238") ? places[at] === null : stryMutAct_9fa48("8237") ? false : stryMutAct_9fa48("8236") ? true : (stryCov_9fa48("8236", "8237", "8238"), places[at] !== null);
            if (stryMutAct_9fa48("8241") ? isHere === (rebuilt?.body[ranked.member] === member) : stryMutAct_9fa48("8240") ? false : stryMutAct_9fa48("8239") ? true : (stryCov_9fa48("8239", "8240", "8241"), isHere !== (stryMutAct_9fa48("8244") ? rebuilt?.body[ranked.member] !== member : stryMutAct_9fa48("8243") ? false : stryMutAct_9fa48("8242") ? true : (stryCov_9fa48("8242", "8243", "8244"), (stryMutAct_9fa48("8245") ? rebuilt.body[ranked.member] : (stryCov_9fa48("8245"), rebuilt?.body[ranked.member])) === member)))) apart.push(stryMutAct_9fa48("8246") ? {} : (stryCov_9fa48("8246"), {
              member,
              isHere
            }));
          }
        }
        left = apart;
      }
    }
    return left.map(stryMutAct_9fa48("8247") ? () => undefined : (stryCov_9fa48("8247"), ({
      member,
      isHere
    }) => differenceOf(one, stryMutAct_9fa48("8248") ? "" : (stryCov_9fa48("8248"), 'member'), isHere ? member : null, isHere ? null : member)));
  }
}
const differenceOf = stryMutAct_9fa48("8249") ? () => undefined : (stryCov_9fa48("8249"), (() => {
  const differenceOf = ({
    view,
    key
  }: OneRanking, field: string, live: string | null, rebuilt: string | null): Difference => stryMutAct_9fa48("8250") ? {} : (stryCov_9fa48("8250"), {
    view,
    collection: stryMutAct_9fa48("8251") ? "" : (stryCov_9fa48("8251"), 'rankings'),
    id: key,
    field,
    live,
    rebuilt
  });
  return differenceOf;
})());