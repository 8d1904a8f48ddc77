// A player's submissions in their order, less those that were deleted. Which is the first of them and which the best is looked for
// when it is asked: a long stream is folded in one pass, however many deletions it contains.

/** What tells them apart: an id is submitted once, and deleted after that. */function stryNS_9fa48() {
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
interface Sent {
  readonly id: string;
}

/** Which of them can be best, and of any two which is better: one of the two always is. */
interface Order<One> {
  counts(one: One): boolean;
  isBetter(one: One, other: One): boolean;
}

/** What the states of one history share. It grows in place past what a state has of it, and is copied where two histories part. */
interface Shared<One> {
  readonly all: One[];
  /** Id -> how many were deleted before it. */
  readonly goneAt: Map<string, number>;
  /** A heap, the best one on top, of the first `heaped` that were not deleted when they came into it. */
  readonly heap: One[];
  heaped: number;
}
export class SubmissionsLeft<One extends Sent> {
  readonly #order: Order<One>;
  readonly #shared: Shared<One>;
  /** How many submissions and how many deletions this state has. */
  readonly #length: number;
  readonly #gone: number;
  /** All before this one are deleted. */
  #from: number;
  /** Undefined until it is asked for. */
  #best: One | null | undefined;
  private constructor(order: Order<One>, shared: Shared<One>, [length, gone]: readonly [number, number], from: number, best: One | null | undefined) {
    if (stryMutAct_9fa48("4751")) {
      {}
    } else {
      stryCov_9fa48("4751");
      this.#order = order;
      this.#shared = shared;
      this.#length = length;
      this.#gone = gone;
      this.#from = from;
      this.#best = best;
    }
  }
  static none<One extends Sent>(order: Order<One>): SubmissionsLeft<One> {
    if (stryMutAct_9fa48("4752")) {
      {}
    } else {
      stryCov_9fa48("4752");
      return new SubmissionsLeft(order, stryMutAct_9fa48("4753") ? {} : (stryCov_9fa48("4753"), {
        all: stryMutAct_9fa48("4754") ? ["Stryker was here"] : (stryCov_9fa48("4754"), []),
        goneAt: new Map(),
        heap: stryMutAct_9fa48("4755") ? ["Stryker was here"] : (stryCov_9fa48("4755"), []),
        heaped: 0
      }), stryMutAct_9fa48("4756") ? [] : (stryCov_9fa48("4756"), [0, 0]), 0, null);
    }
  }

  /** O(1), but where two histories part. */
  with(one: One): SubmissionsLeft<One> {
    if (stryMutAct_9fa48("4757")) {
      {}
    } else {
      stryCov_9fa48("4757");
      // Whoever has none begins a history of its own: what all begin with must not hold one for ever.
      const goesOn = stryMutAct_9fa48("4760") ? this.#length > 0 || this.#shared.all.length === this.#length : stryMutAct_9fa48("4759") ? false : stryMutAct_9fa48("4758") ? true : (stryCov_9fa48("4758", "4759", "4760"), (stryMutAct_9fa48("4763") ? this.#length <= 0 : stryMutAct_9fa48("4762") ? this.#length >= 0 : stryMutAct_9fa48("4761") ? true : (stryCov_9fa48("4761", "4762", "4763"), this.#length > 0)) && (stryMutAct_9fa48("4765") ? this.#shared.all.length !== this.#length : stryMutAct_9fa48("4764") ? true : (stryCov_9fa48("4764", "4765"), this.#shared.all.length === this.#length)));
      const shared = goesOn ? this.#shared : this.#parted();
      shared.all.push(one);
      const [was, order] = stryMutAct_9fa48("4766") ? [] : (stryCov_9fa48("4766"), [this.#best, this.#order]);
      const improves = stryMutAct_9fa48("4769") ? was !== undefined && order.counts(one) || was === null || order.isBetter(one, was) : stryMutAct_9fa48("4768") ? false : stryMutAct_9fa48("4767") ? true : (stryCov_9fa48("4767", "4768", "4769"), (stryMutAct_9fa48("4771") ? was !== undefined || order.counts(one) : stryMutAct_9fa48("4770") ? true : (stryCov_9fa48("4770", "4771"), (stryMutAct_9fa48("4773") ? was === undefined : stryMutAct_9fa48("4772") ? true : (stryCov_9fa48("4772", "4773"), was !== undefined)) && order.counts(one))) && (stryMutAct_9fa48("4775") ? was === null && order.isBetter(one, was) : stryMutAct_9fa48("4774") ? true : (stryCov_9fa48("4774", "4775"), (stryMutAct_9fa48("4777") ? was !== null : stryMutAct_9fa48("4776") ? false : (stryCov_9fa48("4776", "4777"), was === null)) || order.isBetter(one, was))));
      return new SubmissionsLeft(order, shared, stryMutAct_9fa48("4778") ? [] : (stryCov_9fa48("4778"), [stryMutAct_9fa48("4779") ? this.#length - 1 : (stryCov_9fa48("4779"), this.#length + 1), this.#gone]), this.#from, improves ? one : was);
    }
  }

  /** O(1), but where two histories part. */
  without(id: string): SubmissionsLeft<One> {
    if (stryMutAct_9fa48("4780")) {
      {}
    } else {
      stryCov_9fa48("4780");
      if (stryMutAct_9fa48("4783") ? this.#length === 0 && this.#isGone(id) : stryMutAct_9fa48("4782") ? false : stryMutAct_9fa48("4781") ? true : (stryCov_9fa48("4781", "4782", "4783"), (stryMutAct_9fa48("4785") ? this.#length !== 0 : stryMutAct_9fa48("4784") ? false : (stryCov_9fa48("4784", "4785"), this.#length === 0)) || this.#isGone(id))) return this;
      const shared = (stryMutAct_9fa48("4788") ? this.#shared.goneAt.size !== this.#gone : stryMutAct_9fa48("4787") ? false : stryMutAct_9fa48("4786") ? true : (stryCov_9fa48("4786", "4787", "4788"), this.#shared.goneAt.size === this.#gone)) ? this.#shared : this.#parted();
      shared.goneAt.set(id, this.#gone);
      const best = (stryMutAct_9fa48("4791") ? this.#best?.id !== id : stryMutAct_9fa48("4790") ? false : stryMutAct_9fa48("4789") ? true : (stryCov_9fa48("4789", "4790", "4791"), (stryMutAct_9fa48("4792") ? this.#best.id : (stryCov_9fa48("4792"), this.#best?.id)) === id)) ? undefined : this.#best;
      return new SubmissionsLeft(this.#order, shared, stryMutAct_9fa48("4793") ? [] : (stryCov_9fa48("4793"), [this.#length, stryMutAct_9fa48("4794") ? this.#gone - 1 : (stryCov_9fa48("4794"), this.#gone + 1)]), this.#from, best);
    }
  }
  get first(): One | null {
    if (stryMutAct_9fa48("4795")) {
      {}
    } else {
      stryCov_9fa48("4795");
      const {
        all
      } = this.#shared;
      while (stryMutAct_9fa48("4797") ? this.#from < this.#length || this.#isGone(all[this.#from]?.id ?? '') : stryMutAct_9fa48("4796") ? false : (stryCov_9fa48("4796", "4797"), (stryMutAct_9fa48("4800") ? this.#from >= this.#length : stryMutAct_9fa48("4799") ? this.#from <= this.#length : stryMutAct_9fa48("4798") ? true : (stryCov_9fa48("4798", "4799", "4800"), this.#from < this.#length)) && this.#isGone(stryMutAct_9fa48("4801") ? all[this.#from]?.id && '' : (stryCov_9fa48("4801"), (stryMutAct_9fa48("4802") ? all[this.#from].id : (stryCov_9fa48("4802"), all[this.#from]?.id)) ?? (stryMutAct_9fa48("4803") ? "Stryker was here!" : (stryCov_9fa48("4803"), '')))))) stryMutAct_9fa48("4804") ? this.#from-- : (stryCov_9fa48("4804"), this.#from++);
      return (stryMutAct_9fa48("4808") ? this.#from >= this.#length : stryMutAct_9fa48("4807") ? this.#from <= this.#length : stryMutAct_9fa48("4806") ? false : stryMutAct_9fa48("4805") ? true : (stryCov_9fa48("4805", "4806", "4807", "4808"), this.#from < this.#length)) ? stryMutAct_9fa48("4809") ? all[this.#from] && null : (stryCov_9fa48("4809"), all[this.#from] ?? null) : null;
    }
  }

  /** O(log of all) on average for the last state of a history, else O(all), once. */
  get best(): One | null {
    if (stryMutAct_9fa48("4810")) {
      {}
    } else {
      stryCov_9fa48("4810");
      if (stryMutAct_9fa48("4813") ? this.#best !== undefined : stryMutAct_9fa48("4812") ? false : stryMutAct_9fa48("4811") ? true : (stryCov_9fa48("4811", "4812", "4813"), this.#best === undefined)) this.#best = this.#isLast() ? this.#topmost() : this.#sought();
      return this.#best;
    }
  }

  /** O(all). */
  find(id: string): One | null {
    if (stryMutAct_9fa48("4814")) {
      {}
    } else {
      stryCov_9fa48("4814");
      for (const one of this) if (stryMutAct_9fa48("4817") ? one.id !== id : stryMutAct_9fa48("4816") ? false : stryMutAct_9fa48("4815") ? true : (stryCov_9fa48("4815", "4816", "4817"), one.id === id)) return one;
      return null;
    }
  }
  *[Symbol.iterator](): Generator<One> {
    if (stryMutAct_9fa48("4818")) {
      {}
    } else {
      stryCov_9fa48("4818");
      const {
        all
      } = this.#shared;
      for (let at = this.#from; stryMutAct_9fa48("4821") ? at >= this.#length : stryMutAct_9fa48("4820") ? at <= this.#length : stryMutAct_9fa48("4819") ? false : (stryCov_9fa48("4819", "4820", "4821"), at < this.#length); stryMutAct_9fa48("4822") ? at-- : (stryCov_9fa48("4822"), at++)) {
        if (stryMutAct_9fa48("4823")) {
          {}
        } else {
          stryCov_9fa48("4823");
          const one = all[at] as One;
          if (stryMutAct_9fa48("4826") ? false : stryMutAct_9fa48("4825") ? true : stryMutAct_9fa48("4824") ? this.#isGone(one.id) : (stryCov_9fa48("4824", "4825", "4826"), !this.#isGone(one.id))) yield one;
        }
      }
    }
  }
  #isGone(id: string): boolean {
    if (stryMutAct_9fa48("4827")) {
      {}
    } else {
      stryCov_9fa48("4827");
      return stryMutAct_9fa48("4830") ? this.#gone > 0 || (this.#shared.goneAt.get(id) ?? this.#gone) < this.#gone : stryMutAct_9fa48("4829") ? false : stryMutAct_9fa48("4828") ? true : (stryCov_9fa48("4828", "4829", "4830"), (stryMutAct_9fa48("4833") ? this.#gone <= 0 : stryMutAct_9fa48("4832") ? this.#gone >= 0 : stryMutAct_9fa48("4831") ? true : (stryCov_9fa48("4831", "4832", "4833"), this.#gone > 0)) && (stryMutAct_9fa48("4836") ? (this.#shared.goneAt.get(id) ?? this.#gone) >= this.#gone : stryMutAct_9fa48("4835") ? (this.#shared.goneAt.get(id) ?? this.#gone) <= this.#gone : stryMutAct_9fa48("4834") ? true : (stryCov_9fa48("4834", "4835", "4836"), (stryMutAct_9fa48("4837") ? this.#shared.goneAt.get(id) && this.#gone : (stryCov_9fa48("4837"), this.#shared.goneAt.get(id) ?? this.#gone)) < this.#gone)));
    }
  }
  #isLast(): boolean {
    if (stryMutAct_9fa48("4838")) {
      {}
    } else {
      stryCov_9fa48("4838");
      const {
        all,
        goneAt
      } = this.#shared;
      return stryMutAct_9fa48("4841") ? all.length === this.#length || goneAt.size === this.#gone : stryMutAct_9fa48("4840") ? false : stryMutAct_9fa48("4839") ? true : (stryCov_9fa48("4839", "4840", "4841"), (stryMutAct_9fa48("4843") ? all.length !== this.#length : stryMutAct_9fa48("4842") ? true : (stryCov_9fa48("4842", "4843"), all.length === this.#length)) && (stryMutAct_9fa48("4845") ? goneAt.size !== this.#gone : stryMutAct_9fa48("4844") ? true : (stryCov_9fa48("4844", "4845"), goneAt.size === this.#gone)));
    }
  }
  #parted(): Shared<One> {
    if (stryMutAct_9fa48("4846")) {
      {}
    } else {
      stryCov_9fa48("4846");
      const {
        all,
        goneAt
      } = this.#shared;
      const own = stryMutAct_9fa48("4847") ? [...goneAt] : (stryCov_9fa48("4847"), (stryMutAct_9fa48("4848") ? [] : (stryCov_9fa48("4848"), [...goneAt])).filter(stryMutAct_9fa48("4849") ? () => undefined : (stryCov_9fa48("4849"), ([, at]) => stryMutAct_9fa48("4853") ? at >= this.#gone : stryMutAct_9fa48("4852") ? at <= this.#gone : stryMutAct_9fa48("4851") ? false : stryMutAct_9fa48("4850") ? true : (stryCov_9fa48("4850", "4851", "4852", "4853"), at < this.#gone))));
      return stryMutAct_9fa48("4854") ? {} : (stryCov_9fa48("4854"), {
        all: stryMutAct_9fa48("4855") ? all : (stryCov_9fa48("4855"), all.slice(0, this.#length)),
        goneAt: new Map(own),
        heap: stryMutAct_9fa48("4856") ? ["Stryker was here"] : (stryCov_9fa48("4856"), []),
        heaped: 0
      });
    }
  }
  #sought(): One | null {
    if (stryMutAct_9fa48("4857")) {
      {}
    } else {
      stryCov_9fa48("4857");
      let best: One | null = null;
      for (const one of this) {
        if (stryMutAct_9fa48("4858")) {
          {}
        } else {
          stryCov_9fa48("4858");
          if (stryMutAct_9fa48("4861") ? this.#order.counts(one) || best === null || this.#order.isBetter(one, best) : stryMutAct_9fa48("4860") ? false : stryMutAct_9fa48("4859") ? true : (stryCov_9fa48("4859", "4860", "4861"), this.#order.counts(one) && (stryMutAct_9fa48("4863") ? best === null && this.#order.isBetter(one, best) : stryMutAct_9fa48("4862") ? true : (stryCov_9fa48("4862", "4863"), (stryMutAct_9fa48("4865") ? best !== null : stryMutAct_9fa48("4864") ? false : (stryCov_9fa48("4864", "4865"), best === null)) || this.#order.isBetter(one, best))))) best = one;
        }
      }
      return best;
    }
  }

  /** Those deleted are taken from the heap when they come up: they are in no later state either. */
  #topmost(): One | null {
    if (stryMutAct_9fa48("4866")) {
      {}
    } else {
      stryCov_9fa48("4866");
      const {
        isBetter,
        counts
      } = this.#order;
      const shared = this.#shared;
      for (; stryMutAct_9fa48("4869") ? shared.heaped >= this.#length : stryMutAct_9fa48("4868") ? shared.heaped <= this.#length : stryMutAct_9fa48("4867") ? false : (stryCov_9fa48("4867", "4868", "4869"), shared.heaped < this.#length); stryMutAct_9fa48("4870") ? shared.heaped-- : (stryCov_9fa48("4870"), shared.heaped++)) {
        if (stryMutAct_9fa48("4871")) {
          {}
        } else {
          stryCov_9fa48("4871");
          const one = shared.all[shared.heaped] as One;
          if (stryMutAct_9fa48("4874") ? counts(one) || !this.#isGone(one.id) : stryMutAct_9fa48("4873") ? false : stryMutAct_9fa48("4872") ? true : (stryCov_9fa48("4872", "4873", "4874"), counts(one) && (stryMutAct_9fa48("4875") ? this.#isGone(one.id) : (stryCov_9fa48("4875"), !this.#isGone(one.id))))) rise(shared.heap, one, isBetter);
        }
      }
      while (stryMutAct_9fa48("4877") ? shared.heap[0] !== undefined || this.#isGone(shared.heap[0].id) : stryMutAct_9fa48("4876") ? false : (stryCov_9fa48("4876", "4877"), (stryMutAct_9fa48("4879") ? shared.heap[0] === undefined : stryMutAct_9fa48("4878") ? true : (stryCov_9fa48("4878", "4879"), shared.heap[0] !== undefined)) && this.#isGone(shared.heap[0].id))) dropTop(shared.heap, isBetter);
      return stryMutAct_9fa48("4880") ? shared.heap[0] && null : (stryCov_9fa48("4880"), shared.heap[0] ?? null);
    }
  }
}
function rise<One>(heap: One[], one: One, isBetter: Order<One>['isBetter']): void {
  if (stryMutAct_9fa48("4881")) {
    {}
  } else {
    stryCov_9fa48("4881");
    let at = stryMutAct_9fa48("4882") ? heap.push(one) + 1 : (stryCov_9fa48("4882"), heap.push(one) - 1);
    for (let above = (stryMutAct_9fa48("4883") ? at + 1 : (stryCov_9fa48("4883"), at - 1)) >> 1; stryMutAct_9fa48("4885") ? at > 0 || isBetter(one, heap[above] as One) : stryMutAct_9fa48("4884") ? false : (stryCov_9fa48("4884", "4885"), (stryMutAct_9fa48("4888") ? at <= 0 : stryMutAct_9fa48("4887") ? at >= 0 : stryMutAct_9fa48("4886") ? true : (stryCov_9fa48("4886", "4887", "4888"), at > 0)) && isBetter(one, heap[above] as One)); above = (stryMutAct_9fa48("4889") ? at + 1 : (stryCov_9fa48("4889"), at - 1)) >> 1) {
      if (stryMutAct_9fa48("4890")) {
        {}
      } else {
        stryCov_9fa48("4890");
        heap[at] = heap[above] as One;
        at = above;
      }
    }
    heap[at] = one;
  }
}
function dropTop<One>(heap: One[], isBetter: Order<One>['isBetter']): void {
  if (stryMutAct_9fa48("4891")) {
    {}
  } else {
    stryCov_9fa48("4891");
    const last = heap.pop();
    if (stryMutAct_9fa48("4894") ? last === undefined && heap.length === 0 : stryMutAct_9fa48("4893") ? false : stryMutAct_9fa48("4892") ? true : (stryCov_9fa48("4892", "4893", "4894"), (stryMutAct_9fa48("4896") ? last !== undefined : stryMutAct_9fa48("4895") ? false : (stryCov_9fa48("4895", "4896"), last === undefined)) || (stryMutAct_9fa48("4898") ? heap.length !== 0 : stryMutAct_9fa48("4897") ? false : (stryCov_9fa48("4897", "4898"), heap.length === 0)))) return;
    let at = 0;
    if (stryMutAct_9fa48("4899")) {
      for (; false;) {
        let below = 2 * at + 1;
        const [left, right] = [heap[below], heap[below + 1]];
        if (left === undefined) break;
        if (right !== undefined && isBetter(right, left)) below++;
        const better = heap[below] as One;
        if (!isBetter(better, last)) break;
        heap[at] = better;
        at = below;
      }
    } else {
      stryCov_9fa48("4899");
      for (;;) {
        if (stryMutAct_9fa48("4900")) {
          {}
        } else {
          stryCov_9fa48("4900");
          let below = stryMutAct_9fa48("4901") ? 2 * at - 1 : (stryCov_9fa48("4901"), (stryMutAct_9fa48("4902") ? 2 / at : (stryCov_9fa48("4902"), 2 * at)) + 1);
          const [left, right] = stryMutAct_9fa48("4903") ? [] : (stryCov_9fa48("4903"), [heap[below], heap[stryMutAct_9fa48("4904") ? below - 1 : (stryCov_9fa48("4904"), below + 1)]]);
          if (stryMutAct_9fa48("4907") ? left !== undefined : stryMutAct_9fa48("4906") ? false : stryMutAct_9fa48("4905") ? true : (stryCov_9fa48("4905", "4906", "4907"), left === undefined)) break;
          if (stryMutAct_9fa48("4910") ? right !== undefined || isBetter(right, left) : stryMutAct_9fa48("4909") ? false : stryMutAct_9fa48("4908") ? true : (stryCov_9fa48("4908", "4909", "4910"), (stryMutAct_9fa48("4912") ? right === undefined : stryMutAct_9fa48("4911") ? true : (stryCov_9fa48("4911", "4912"), right !== undefined)) && isBetter(right, left))) stryMutAct_9fa48("4913") ? below-- : (stryCov_9fa48("4913"), below++);
          const better = heap[below] as One;
          if (stryMutAct_9fa48("4916") ? false : stryMutAct_9fa48("4915") ? true : stryMutAct_9fa48("4914") ? isBetter(better, last) : (stryCov_9fa48("4914", "4915", "4916"), !isBetter(better, last))) break;
          heap[at] = better;
          at = below;
        }
      }
    }
    heap[at] = last;
  }
}