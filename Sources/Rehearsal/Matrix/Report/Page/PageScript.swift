/// The page's script: a filter and arrow keys. Without scripts the page lacks only these.
enum PageScript {
  /// Keeps a square if each typed word is in its environment, condition, flow or answers. Hides rows and columns without a
  /// kept square.
  static let filter: Markup = """
    (() => {
      const table = document.querySelector("table.matrix");
      const input = document.getElementById("filter");
      if (!table || !input) return;
      const found = document.getElementById("found");
      const heads = [...table.tHead.rows[0].cells].slice(1);
      const rows = [...table.tBodies].flatMap(body => [...body.rows]);
      const low = text => text.toLowerCase();
      const squares = rows.map(row => [...row.cells].slice(1).map((cell, x) => ({
        cell, text: low([row.cells[0].dataset.find, heads[x].dataset.find,
          cell.firstElementChild ? cell.firstElementChild.textContent : ""].join("\\n"))})));
      const filter = () => {
        const words = low(input.value).split(/\\s+/).filter(Boolean);
        const keeps = squares.map(row => row.map(square => words.every(word => square.text.includes(word))));
        const columns = heads.map((_, x) => keeps.some(row => row[x]));
        let count = 0;
        heads.forEach((head, x) => { head.hidden = !columns[x]; });
        rows.forEach((row, y) => {
          row.hidden = !keeps[y].some(Boolean);
          squares[y].forEach(({cell}, x) => {
            cell.hidden = !columns[x];
            cell.classList.toggle("off", !keeps[y][x]);
            count += keeps[y][x];
          });
        });
        found.textContent = words.length ? `${count} of ${rows.length * heads.length} squares` : "";
      };
      input.addEventListener("input", filter);
      input.closest("[hidden]").hidden = false;
      filter();

      // a link to a square that is filtered away brings it back
      const reveal = () => {
        const cell = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
        if (!cell || !table.contains(cell)) return;
        if (cell.hidden || cell.closest("tr").hidden) {
          input.value = "";
          filter();
          cell.scrollIntoView();
        }
        const button = cell.querySelector("button");
        if (button) button.focus({preventScroll: true});
      };
      addEventListener("hashchange", reveal);

      const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
      table.addEventListener("keydown", event => {
        const step = steps[event.key];
        const cell = event.target.parentElement;
        if (!step || !event.target.matches(".matrix > tbody > tr > td > button")) return;
        let [y, x] = [rows.indexOf(cell.parentElement), cell.cellIndex];
        for (;;) {
          y += step[0];
          x += step[1];
          const next = rows[y] && x > 0 && rows[y].cells[x];
          if (!next) return;
          const button = next.querySelector(":scope > button");
          if (button && button.offsetParent) {
            event.preventDefault();
            button.focus();
            return;
          }
        }
      });
    })();

    """
}
