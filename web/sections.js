// Parts of the page that are drawn once they are in view.

import { unlessReplaced } from "./client.js";

export class Sections {
  #all = new Map();
  #observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const section = [...this.#all.values()].find(({ box }) => box === target);
      section.inView = isIntersecting;
      this.#draw(section);
    }
  }, { rootMargin: "200px" });

  /** Adds a part: `draw` returns a promise. */
  add(name, box, draw) {
    this.#all.set(name, { box, draw, inView: false, isStale: true });
    this.#observer.observe(box);
  }

  /** Draws these parts again, now or once they are in view. */
  stale(...names) {
    for (const name of names) {
      const section = this.#all.get(name);
      section.isStale = true;
      this.#draw(section);
    }
  }

  async #draw(section) {
    if (!section.isStale || !section.inView || section.box.hidden) return;
    section.isStale = false;
    section.box.setAttribute("aria-busy", "true");
    const problem = section.box.querySelector(".problem");
    problem.textContent = "";
    try {
      await unlessReplaced(section.draw());
    } catch (error) {
      problem.textContent = error.message;
    }
    section.box.removeAttribute("aria-busy");
  }
}
