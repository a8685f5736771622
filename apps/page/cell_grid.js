// Walking a grid of cells (ARIA's pattern): one tab stop, arrow keys inside. Rows may differ in
// length.

// cells: rows of elements; choose is called with the cell on Enter or the space bar.
export function walkCells(cells, event, choose) {
  const y = cells.findIndex((row) => row.includes(event.target));
  if (y < 0) return;
  const row = cells[y];
  const x = row.indexOf(event.target);
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    choose(event.target);
    return;
  }
  const target = { ArrowRight: row[x + 1], ArrowLeft: row[x - 1], Home: row[0],
    End: row[row.length - 1], ArrowDown: cells[y + 1]?.[x], ArrowUp: cells[y - 1]?.[x] }[event.key];
  if (!target) return;
  event.preventDefault();
  event.target.setAttribute('tabindex', '-1');
  target.setAttribute('tabindex', '0');
  target.focus();
}

// A Han character is two units wide.
export function shortened(text, most) {
  let units = 0;
  let result = '';
  for (const character of text) {
    units += /[\u2e80-\uffef]/u.test(character) ? 2 : 1;
    if (units > most) return `${result.trimEnd()}…`;
    result += character;
  }
  return result;
}
