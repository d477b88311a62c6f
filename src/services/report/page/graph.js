'use strict';
// Draws a value graph in layers, left to right: values of the producer, values that cross, values that the consumer
// computes from them, and their users. The layers are sorted by where their neighbours stand. Like words of a text,
// layers that would end beyond WIDE go on below, so that a page of 1280 pixels shows all of them.
const MOST_VALUES = 300, ROW = 30, BOX = 22, WIDE = 1200, GAP = 46, LEAST_GAP = 24, MARGIN = 10, HEAD = 34;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Constants are written into what uses them.
function labelOf(graph, value) {
  const constants = value.operands.map(each => graph.values[each].kind === 'constant' ? graph.values[each].label : null);
  if (constants.every(each => each === null)) return value.label;
  const parts = constants.map(each => each === null ? '·' : each);
  return value.label.length === 1 && parts.length === 2 ? parts.join(' ' + value.label + ' ') : value.label + '(' + parts.join(', ') + ')';
}

// Boxes and the lines between them. What nobody computes any more stands where it was computed.
function boxesOf(graph) {
  const boxes = [], lines = [], byKey = new Map(), carrier = new Map();
  const add = (key, side, label, kind, title) => {
    const box = {key, side, label, kind, title: title || label, from: [], to: []};
    boxes.push(box);
    byKey.set(key, box);
    return box;
  };
  const connect = (from, to, kind) => {
    if (!from || !to) return;
    lines.push({from, to, kind});
    from.to.push(to);
    to.from.push(from);
  };
  const isGone = value => value.after.length === 0;
  const computes = (value, stage) => (isGone(value) ? value.before.slice(0, 1) : value.after).includes(stage);
  const kindOf = value => isGone(value) ? 'gone' : value.moved ? (value.moved === 'to ' + graph.producer ? 'back' : 'forth') :
    value.kind === 'operation' ? 'computed' : 'had';
  const place = (value, index, stage, side) => {
    if (value.kind === 'constant' || !computes(value, stage)) return;
    const moved = value.moved ? ', ' + (isGone(value) ? 'not computed any more' : 'moved ' + value.moved) : '';
    add(side + index, side, labelOf(graph, value), kindOf(value), labelOf(graph, value) + moved);
  };
  graph.values.forEach((value, index) => { place(value, index, graph.producer, 'p'); place(value, index, graph.consumer, 'c'); });
  for (const field of graph.after) {
    const box = add('f' + field.slot, 'f', field.slot + '  ' + field.name, field.fate === 'moved' ? 'field moved' : 'field kept',
      field.slot + ' carries ' + field.name);
    if (field.value === null) continue;
    connect(byKey.get('p' + field.value), box, 'cut');
    if (!carrier.has(field.value)) carrier.set(field.value, box);
  }
  const carrierOf = index => carrier.get(index) || byKey.get('c' + index);
  graph.values.forEach((value, index) => {
    for (const operand of value.operands) {
      connect(byKey.get('p' + operand), byKey.get('p' + index), isGone(value) ? 'gone' : '');
      connect(carrierOf(operand), byKey.get('c' + index), isGone(value) ? 'gone' : '');
    }
    if (value.uses.length > 0 && carrierOf(index)) connect(carrierOf(index), add('u' + index, 'u', value.uses.join(', '), 'use'), '');
  });
  return {boxes, lines};
}

// Gives each box its column: as far left as what it needs allows, each side behind the one in front of it.
function columnsOf(boxes) {
  let first = 0;
  for (const side of ['p', 'f', 'c', 'u']) {
    let last = first - 1;
    for (const box of boxes.filter(each => each.side === side)) {  // operands come first
      const inside = box.from.filter(each => each.side === side).map(each => each.column + 1);
      box.column = Math.max(first, ...inside);
      last = Math.max(last, box.column);
    }
    first = last + 1;
  }
  const columns = Array.from({length: first}, () => []);
  for (const box of boxes) columns[box.column].push(box);
  return columns;
}

function arrangeRows(columns) {
  columns.forEach(column => column.forEach((box, row) => { box.row = row; }));
  const mean = list => list.reduce((sum, each) => sum + each.row, 0) / list.length;
  for (let round = 0; round < 8; ++round) {
    const order = round % 2 === 0 ? columns : [...columns].reverse();
    for (const column of order) {
      const near = box => round % 2 === 0 ? box.from : box.to;
      const wish = new Map(column.map(box => [box, near(box).length > 0 ? mean(near(box)) : box.row]));
      column.sort((a, b) => wish.get(a) - wish.get(b) || a.row - b.row);
      let row = -1;
      for (const box of column) row = box.row = Math.max(row + 1, Math.round(wish.get(box) * 2) / 2);
    }
  }
}

// Rows that no column uses are left out. Returns the number of rows.
function closeGaps(boxes) {
  const sorted = [...boxes].sort((a, b) => a.row - b.row);
  let place = 0, last = sorted.length > 0 ? sorted[0].row : 0;
  for (const box of sorted) {
    place += box.row - last > 1 ? 1 : box.row - last;
    last = box.row;
    box.place = place;
  }
  return Math.ceil(place) + 1;
}

// Gives each box its x, and returns the boxes of each band of columns that stand beside each other.
function bandsOf(columns) {
  const widths = columns.map(column => Math.max(...column.map(box => Math.min(box.label.length, 30) * 6.6 + 16)));
  const room = WIDE - 2 * MARGIN - widths.reduce((sum, each) => sum + each, 0);
  const gap = Math.max(LEAST_GAP, Math.min(GAP, room / Math.max(1, columns.length - 1)));
  const bands = [[]];
  let x = MARGIN;
  columns.forEach((column, index) => {
    const width = widths[index];
    if (x + width + MARGIN > WIDE && x > MARGIN) {
      bands.push([]);
      x = MARGIN;
    }
    for (const box of column) Object.assign(box, {x, width});
    bands[bands.length - 1].push(...column);
    x += width + gap;
  });
  return bands;
}

// Gives each box its place; returns the size of the picture.
function arrange(boxes) {
  const columns = columnsOf(boxes);
  arrangeRows(columns);
  let height = 0;
  for (const band of bandsOf(columns)) {
    const rows = closeGaps(band);
    for (const box of band) Object.assign(box, {y: height + box.place * ROW + HEAD, top: height + 16});
    height += rows * ROW + HEAD;
  }
  return {width: Math.max(0, ...boxes.map(each => each.x + each.width)) + MARGIN, height};
}

function draw(graph) {
  const {boxes, lines} = boxesOf(graph);
  const {width, height} = arrange(boxes);
  const picture = svg('svg', {width, height, viewBox: '0 0 ' + width + ' ' + height, role: 'img'});
  for (const [side, text] of [['p', graph.producer], ['f', 'crosses'], ['c', graph.consumer], ['u', 'needed by']]) {
    const first = boxes.filter(each => each.side === side).sort((a, b) => a.column - b.column)[0];
    if (first) picture.append(svg('text', {class: 'title', x: first.x, y: first.top}, text));
  }
  for (const {from, to, kind} of lines) {
    const [x1, y1, x2, y2] = [from.x + from.width, from.y + BOX / 2, to.x, to.y + BOX / 2];
    const bend = x2 > x1 ? Math.max(18, (x2 - x1) / 2) : LEAST_GAP;  // else the line goes to a band below
    picture.append(svg('path', {class: 'line ' + kind, d: `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`}));
  }
  for (const box of boxes) {
    const label = box.label.length > 30 ? box.label.slice(0, 29) + '…' : box.label;
    picture.append(svg('g', {class: 'box ' + box.kind}, svg('title', {}, box.title),
      svg('rect', {x: box.x, y: box.y, width: box.width, height: BOX, rx: ['computed', 'back', 'forth'].includes(box.kind) ? 11 : 3}),
      svg('text', {x: box.x + 8, y: box.y + 15}, label)));
  }
  return picture;
}

function graphOf(pipeline, link) {
  return (pipeline.value_graphs || []).find(each => each.producer === link.producer && each.consumer === link.consumer);
}

function valueGraph(pipeline, link) {
  const graph = graphOf(pipeline, link);
  if (!graph || graph.values.length === 0) return [];
  if (graph.values.length > MOST_VALUES)
    return [make('p', {class: 'dim', text: 'The graph of ' + graph.values.length + ' values is too large for this page: varylink link --dot FILE'})];
  const count = kind => graph.values.filter(each => each.moved === kind).length;
  const keys = [['back', count('to ' + graph.producer), 'moved to ' + graph.producer], ['forth', count('to ' + graph.consumer),
    'moved to ' + graph.consumer], ['gone', count('gone'), 'not computed any more']];
  const legend = keys.filter(([, number]) => number > 0).map(([kind, number, text]) =>
    make('span', {}, make('i', {class: kind}), number + ' ' + text));
  const box = make('details', {class: 'graph'}, make('summary', {text: 'the values: ' + graph.values.length}),
    make('div', {class: 'legend'}, ...legend, make('span', {}, make('i', {class: 'cut'}), 'what is sent')),
    make('div', {class: 'picture'}, draw(graph)));
  box.open = graph.values.length <= 80;
  return [box];
}
