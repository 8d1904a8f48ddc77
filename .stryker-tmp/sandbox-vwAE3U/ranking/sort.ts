// Sorts slots in steps: by a number per slot that decides most comparisons, and by a comparison function if the numbers
// are equal.

/** Slots sorted in one step, and slots merged in one step. */function stryNS_9fa48() {
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
const RUN = 512;
const SLICE = 4_096;

/**
 * Returns the slots in order. Takes ownership of the arrays; `keys[i]` belongs to `slots[i]`. O(n log n), in steps of
 * some milliseconds at most.
 */
export function* sorted(slots: Uint32Array<ArrayBuffer>, keys: Float64Array<ArrayBuffer>, compare: (a: number, b: number) => number): Generator<void, Uint32Array> {
  if (stryMutAct_9fa48("9623")) {
    {}
  } else {
    stryCov_9fa48("9623");
    const {
      length
    } = slots;
    for (let from = 0; stryMutAct_9fa48("9626") ? from >= length : stryMutAct_9fa48("9625") ? from <= length : stryMutAct_9fa48("9624") ? false : (stryCov_9fa48("9624", "9625", "9626"), from < length); stryMutAct_9fa48("9627") ? from -= RUN : (stryCov_9fa48("9627"), from += RUN)) {
      if (stryMutAct_9fa48("9628")) {
        {}
      } else {
        stryCov_9fa48("9628");
        sortRun(slots, keys, from, stryMutAct_9fa48("9629") ? Math.max(from + RUN, length) : (stryCov_9fa48("9629"), Math.min(stryMutAct_9fa48("9630") ? from - RUN : (stryCov_9fa48("9630"), from + RUN), length)), compare);
        yield;
      }
    }
    let [ofSlots, intoSlots] = stryMutAct_9fa48("9631") ? [] : (stryCov_9fa48("9631"), [slots, new Uint32Array(length)]);
    let [ofKeys, intoKeys] = stryMutAct_9fa48("9632") ? [] : (stryCov_9fa48("9632"), [keys, new Float64Array(length)]);
    for (let width = RUN; stryMutAct_9fa48("9635") ? width >= length : stryMutAct_9fa48("9634") ? width <= length : stryMutAct_9fa48("9633") ? false : (stryCov_9fa48("9633", "9634", "9635"), width < length); stryMutAct_9fa48("9636") ? width /= 2 : (stryCov_9fa48("9636"), width *= 2)) {
      if (stryMutAct_9fa48("9637")) {
        {}
      } else {
        stryCov_9fa48("9637");
        for (let from = 0; stryMutAct_9fa48("9640") ? from >= length : stryMutAct_9fa48("9639") ? from <= length : stryMutAct_9fa48("9638") ? false : (stryCov_9fa48("9638", "9639", "9640"), from < length); stryMutAct_9fa48("9641") ? from -= width * 2 : (stryCov_9fa48("9641"), from += stryMutAct_9fa48("9642") ? width / 2 : (stryCov_9fa48("9642"), width * 2))) {
          if (stryMutAct_9fa48("9643")) {
            {}
          } else {
            stryCov_9fa48("9643");
            const middle = stryMutAct_9fa48("9644") ? Math.max(from + width, length) : (stryCov_9fa48("9644"), Math.min(stryMutAct_9fa48("9645") ? from - width : (stryCov_9fa48("9645"), from + width), length));
            const end = stryMutAct_9fa48("9646") ? Math.max(middle + width, length) : (stryCov_9fa48("9646"), Math.min(stryMutAct_9fa48("9647") ? middle - width : (stryCov_9fa48("9647"), middle + width), length));
            let [left, right] = stryMutAct_9fa48("9648") ? [] : (stryCov_9fa48("9648"), [from, middle]);
            for (let to = from; stryMutAct_9fa48("9651") ? to >= end : stryMutAct_9fa48("9650") ? to <= end : stryMutAct_9fa48("9649") ? false : (stryCov_9fa48("9649", "9650", "9651"), to < end); stryMutAct_9fa48("9652") ? to-- : (stryCov_9fa48("9652"), to++)) {
              if (stryMutAct_9fa48("9653")) {
                {}
              } else {
                stryCov_9fa48("9653");
                let takesRight = stryMutAct_9fa48("9656") ? left !== middle : stryMutAct_9fa48("9655") ? false : stryMutAct_9fa48("9654") ? true : (stryCov_9fa48("9654", "9655", "9656"), left === middle);
                if (stryMutAct_9fa48("9659") ? !takesRight || right < end : stryMutAct_9fa48("9658") ? false : stryMutAct_9fa48("9657") ? true : (stryCov_9fa48("9657", "9658", "9659"), (stryMutAct_9fa48("9660") ? takesRight : (stryCov_9fa48("9660"), !takesRight)) && (stryMutAct_9fa48("9663") ? right >= end : stryMutAct_9fa48("9662") ? right <= end : stryMutAct_9fa48("9661") ? true : (stryCov_9fa48("9661", "9662", "9663"), right < end)))) {
                  if (stryMutAct_9fa48("9664")) {
                    {}
                  } else {
                    stryCov_9fa48("9664");
                    const [a, b] = stryMutAct_9fa48("9665") ? [] : (stryCov_9fa48("9665"), [ofKeys[left] as number, ofKeys[right] as number]);
                    takesRight = stryMutAct_9fa48("9668") ? b < a && b === a && compare(ofSlots[right] as number, ofSlots[left] as number) < 0 : stryMutAct_9fa48("9667") ? false : stryMutAct_9fa48("9666") ? true : (stryCov_9fa48("9666", "9667", "9668"), (stryMutAct_9fa48("9671") ? b >= a : stryMutAct_9fa48("9670") ? b <= a : stryMutAct_9fa48("9669") ? false : (stryCov_9fa48("9669", "9670", "9671"), b < a)) || (stryMutAct_9fa48("9673") ? b === a || compare(ofSlots[right] as number, ofSlots[left] as number) < 0 : stryMutAct_9fa48("9672") ? false : (stryCov_9fa48("9672", "9673"), (stryMutAct_9fa48("9675") ? b !== a : stryMutAct_9fa48("9674") ? true : (stryCov_9fa48("9674", "9675"), b === a)) && (stryMutAct_9fa48("9678") ? compare(ofSlots[right] as number, ofSlots[left] as number) >= 0 : stryMutAct_9fa48("9677") ? compare(ofSlots[right] as number, ofSlots[left] as number) <= 0 : stryMutAct_9fa48("9676") ? true : (stryCov_9fa48("9676", "9677", "9678"), compare(ofSlots[right] as number, ofSlots[left] as number) < 0)))));
                  }
                }
                const taken = takesRight ? stryMutAct_9fa48("9679") ? right-- : (stryCov_9fa48("9679"), right++) : stryMutAct_9fa48("9680") ? left-- : (stryCov_9fa48("9680"), left++);
                intoSlots[to] = ofSlots[taken] as number;
                intoKeys[to] = ofKeys[taken] as number;
                if (stryMutAct_9fa48("9683") ? to % SLICE !== 0 : stryMutAct_9fa48("9682") ? false : stryMutAct_9fa48("9681") ? true : (stryCov_9fa48("9681", "9682", "9683"), (stryMutAct_9fa48("9684") ? to * SLICE : (stryCov_9fa48("9684"), to % SLICE)) === 0)) yield;
              }
            }
          }
        }
        ;
        [ofSlots, intoSlots] = stryMutAct_9fa48("9685") ? [] : (stryCov_9fa48("9685"), [intoSlots, ofSlots]);
        [ofKeys, intoKeys] = stryMutAct_9fa48("9686") ? [] : (stryCov_9fa48("9686"), [intoKeys, ofKeys]);
      }
    }
    return ofSlots;
  }
}
function sortRun(slots: Uint32Array, keys: Float64Array, from: number, end: number, compare: (a: number, b: number) => number): void {
  if (stryMutAct_9fa48("9687")) {
    {}
  } else {
    stryCov_9fa48("9687");
    const some = stryMutAct_9fa48("9688") ? slots : (stryCov_9fa48("9688"), slots.slice(from, end));
    const theirs = stryMutAct_9fa48("9689") ? keys : (stryCov_9fa48("9689"), keys.slice(from, end));
    const order = Uint16Array.from(some.keys());
    stryMutAct_9fa48("9690") ? order : (stryCov_9fa48("9690"), order.sort((a, b) => {
      if (stryMutAct_9fa48("9691")) {
        {}
      } else {
        stryCov_9fa48("9691");
        const [one, other] = stryMutAct_9fa48("9692") ? [] : (stryCov_9fa48("9692"), [theirs[a] as number, theirs[b] as number]);
        return (stryMutAct_9fa48("9695") ? one !== other : stryMutAct_9fa48("9694") ? false : stryMutAct_9fa48("9693") ? true : (stryCov_9fa48("9693", "9694", "9695"), one === other)) ? compare(some[a] as number, some[b] as number) : stryMutAct_9fa48("9696") ? one + other : (stryCov_9fa48("9696"), one - other);
      }
    }));
    for (const [at, place] of order.entries()) {
      if (stryMutAct_9fa48("9697")) {
        {}
      } else {
        stryCov_9fa48("9697");
        slots[stryMutAct_9fa48("9698") ? from - at : (stryCov_9fa48("9698"), from + at)] = some[place] as number;
        keys[stryMutAct_9fa48("9699") ? from - at : (stryCov_9fa48("9699"), from + at)] = theirs[place] as number;
      }
    }
  }
}