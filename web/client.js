// Promises around a worker.

/** A worker that runs one call at a time. A later call in the same slot replaces one that has not begun. */
export class Client {
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  #waiting = [];
  #running = null;
  #next = 0;
  #ended = null; // why it no longer runs

  constructor() {
    this.#worker.onmessage = ({ data: { answer, error, hasStopped } }) => {
      const { resolve, reject } = this.#running;
      this.#running = null;
      this.#begin();
      if (error === undefined) resolve(answer);
      else reject(Object.assign(new Error(error), { hasStopped }));
    };
    this.#worker.onerror = ({ message }) => this.#end(new Error(message || "The worker did not start."));
  }

  /** Calls a function of the module. The promise of a replaced call rejects with `Replaced`. */
  ask(name, argument, slot = null) {
    if (this.#ended) return Promise.reject(this.#ended);
    if (slot !== null) this.drop(slot);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, argument, slot, resolve, reject });
      this.#begin();
    });
  }

  /** Forgets the calls of a slot that have not begun. */
  drop(slot) {
    const dropped = this.#waiting.filter((call) => call.slot === slot);
    this.#waiting = this.#waiting.filter((call) => call.slot !== slot);
    for (const call of dropped) call.reject(new Replaced());
  }

  get isStopped() {
    return this.#ended !== null;
  }

  get isBusy() {
    return this.#running !== null;
  }

  /** Ends the worker. Its calls are replaced. */
  stop() {
    this.#end(new Replaced());
  }

  #end(error) {
    this.#ended = error;
    this.#worker.onmessage = null; // there may be an answer on its way
    this.#worker.terminate();
    for (const call of [this.#running, ...this.#waiting]) call?.reject(error);
    [this.#running, this.#waiting] = [null, []];
  }

  #begin() {
    if (this.#running || this.#waiting.length === 0) return;
    this.#running = this.#waiting.shift();
    const { name, argument } = this.#running;
    this.#worker.postMessage({ id: this.#next++, name, argument });
  }
}

/** The call was replaced by a later one. */
export class Replaced extends Error {}

/** Returns a promise's value, or `undefined` if its call was replaced. */
export async function unlessReplaced(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Replaced) return undefined;
    throw error;
  }
}
