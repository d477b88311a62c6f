const report = JSON.parse(document.getElementById('report').textContent);
const FATES = {
  kept: 'still crosses', dead: 'nobody reads it', constant: 'the next stage has the constant',
  uniform: 'the next stage evaluates it', duplicate: 'another component carries it', moved: 'other values cross instead'};
const COSTS = {work: 'work', instructions: 'instructions', slots: 'schedule', critical_path: 'critical path', peak_live: 'live scalars'};

// Texts are only ever set as text, so that nothing in a name can become markup.
function make(tag, options, ...children) {
  const element = document.createElement(tag);
  const {text, data, ...attributes} = options || {};
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) if (value) element.setAttribute(name, value);
  Object.assign(element.dataset, data || {});
  element.append(...children);
  return element;
}
const signed = (number, text) => (number > 0 ? '+' : '') + text;
const percent = (before, after) => before === 0 ? (after === 0 ? '' : signed(after, after)) :
  signed(after - before, ((after - before) / before * 100).toFixed(1) + ' %');
const count = (number, what) => number + ' ' + what + (number === 1 ? '' : 's');
const judge = (before, after) => after < before ? 'better' : after > before ? 'worse' : '';
const sum = (pipeline, side, what) => pipeline.interfaces.reduce((total, each) => total + each[side][what], 0);

function tile(name, before, after) {
  return make('div', {class: 'tile'}, make('span', {class: 'dim', text: name}),
    make('b', {text: before + ' → ' + after}), make('span', {class: judge(before, after), text: percent(before, after)}));
}

function header() {
  const {before, after, pipelines, linked, failed} = report.summary;
  const options = Object.entries(report.options).map(([name, value]) => (name + ' ' + value).trim()).join('  ');
  return [
    make('h1', {text: 'Varylink report'}),
    make('div', {class: 'dim', text: 'varylink ' + report.varylink + '  ' + options}),
    make('div', {class: 'tiles'},
      make('div', {class: 'tile'}, make('span', {class: 'dim', text: 'pipelines'}), make('b', {text: String(pipelines)}),
        make('span', {class: failed ? 'error' : 'dim', text: linked + ' linked, ' + failed + (report.run ? ' passed through' : ' failed')})),
      tile('components', before.components, after.components), tile('locations', before.locations, after.locations),
      tile('bytes per vertex', before.bytes_per_vertex, after.bytes_per_vertex))];
}

// ---- the table of the batch

function cost(pipeline, name, side) {
  const stage = pipeline.stages.find(each => each.stage === name && each.cost);
  return stage ? stage.cost[side].instructions : null;
}

function row(pipeline, index) {
  const linked = pipeline.status === 'linked';
  const before = linked ? sum(pipeline, 'before', 'components') : null;
  const after = linked ? sum(pipeline, 'after', 'components') : null;
  const saved = (name) => {
    const [from, to] = [cost(pipeline, name, 'before'), cost(pipeline, name, 'after')];
    return from === null ? null : from - to;
  };
  return {index, cells: [
    pipeline.name, linked ? 'linked' : pipeline.failure, before, after, linked ? before - after : null,
    linked && before ? Math.round((before - after) / before * 1000) / 10 : null,
    linked ? sum(pipeline, 'before', 'locations') - sum(pipeline, 'after', 'locations') : null,
    linked ? 4 * (before - after) : null, saved('vert'), saved('frag')]};
}

const COLUMNS = ['pipeline', 'status', 'components', 'after', 'gain', 'gain %', 'locations saved', 'bytes per vertex saved',
  'vert instructions saved', 'frag instructions saved'];
const GAIN = 4;

function sorted(rows, column, ascending) {
  const value = each => each.cells[column];
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return (x === null) - (y === null) || a.index - b.index;  // empty cells last
    const order = typeof x === 'number' ? x - y : x < y ? -1 : x > y ? 1 : 0;
    return (ascending ? order : -order) || a.index - b.index;
  });
}

function batch(choose) {
  const rows = report.pipelines.map(row);
  const state = {column: GAIN, ascending: false, filter: ''};
  const body = make('tbody');
  const heads = COLUMNS.map((name, column) => {
    const button = make('button', {type: 'button', text: name});
    button.addEventListener('click', () => {
      state.ascending = state.column === column ? !state.ascending : column < 2;
      state.column = column;
      draw();
    });
    return make('th', {class: column < 2 ? '' : 'number'}, button);
  });
  function draw() {
    heads.forEach((head, column) => {
      head.setAttribute('aria-sort', column !== state.column ? 'none' : state.ascending ? 'ascending' : 'descending');
      head.firstChild.textContent = COLUMNS[column] + (column !== state.column ? '' : state.ascending ? ' ▲' : ' ▼');
    });
    const shown = sorted(rows, state.column, state.ascending).filter(each => each.cells[0].includes(state.filter));
    body.replaceChildren(...shown.map(each => {
      const line = make('tr', {data: {index: String(each.index)}},
        ...each.cells.map((cell, column) => make('td', {class: column < 2 ? '' : 'number', text: cell === null ? '' : String(cell)})));
      line.addEventListener('click', () => choose(each.index));
      return line;
    }));
    mark();
  }
  function mark() {
    for (const line of body.rows) line.classList.toggle('chosen', Number(line.dataset.index) === chosen);
  }
  const search = make('input', {type: 'search', placeholder: 'show names with …', 'aria-label': 'filter'});
  search.addEventListener('input', () => { state.filter = search.value; draw(); });
  draw();
  const table = make('table', {id: 'batch'}, make('thead', {}, make('tr', {}, ...heads)), body);
  return {elements: [make('h2', {text: 'Pipelines'}), search, make('div', {class: 'scroll'}, table)], mark};
}

// ---- one pipeline

const shortName = name => name.split('.').slice(-2).join('.');

function slot(component, label, what) {
  return make('div', {class: 'slot ' + component.fate, data: {old: component.old},
    title: component.old + (component.new ? ' → ' + component.new : '') + '\n' + component.type + ' ' +
      (component.producer_name || component.consumer_name) + (component.interpolation ? ', ' + component.interpolation : '') +
      '\n' + component.fate + ': ' + component.reason},
    make('span', {text: label}), make('span', {class: 'what', text: what}));
}

function slotMap(cells) {
  const map = make('div', {class: 'map'}, make('div'), ...['x', 'y', 'z', 'w'].map(text => make('div', {class: 'head', text})));
  const locations = [...new Set([...cells.keys()].map(key => Number(key.split('.')[0])))].sort((a, b) => a - b);
  for (const location of locations) {
    map.append(make('div', {class: 'location', text: String(location)}));
    for (const component of 'xyzw') map.append(cells.get(location + '.' + component) || make('div', {class: 'slot empty'}));
  }
  if (locations.length === 0) map.append(make('div'), make('div', {class: 'dim', text: 'nothing'}));
  return map;
}

function maps(pipeline, link) {
  const before = new Map(), after = new Map();
  const graph = graphOf(pipeline, link);
  for (const component of link.components) {
    const name = component.producer_name || component.consumer_name || component.old;
    before.set(component.old, slot(component, shortName(name), component.fate));
    if (component.fate === 'kept' && component.new)
      after.set(component.new, slot(component, shortName(name), 'from ' + component.old));
    if (component.fate === 'moved' && component.new) {
      const now = graph && graph.after.find(each => each.slot === component.new);
      after.set(component.new, slot(component, now ? now.name : 'another value', 'computed in ' + link.producer));
    }
  }
  const light = (event, on) => {
    const cell = event.target.closest('.slot');
    if (cell && cell.dataset.old)
      for (const same of box.querySelectorAll('.slot'))
        if (same.dataset.old === cell.dataset.old) same.classList.toggle('lit', on);
  };
  const side = (name, size, cells) => make('div', {}, make('h3', {text: name + ': ' + count(size.components, 'component') + ', ' +
    count(size.locations, 'location') + ', ' + size.bytes_per_vertex + ' bytes per vertex'}), slotMap(cells));
  const box = make('div', {class: 'maps'}, side('before', link.before, before), side('after', link.after, after));
  box.addEventListener('mouseover', event => light(event, true));
  box.addEventListener('mouseout', event => light(event, false));
  return box;
}

function legend(link) {
  const entries = Object.entries(FATES).map(([fate, meaning]) => {
    const count = link.components.filter(each => each.fate === fate).length;
    return count === 0 ? null : make('span', {}, make('i', {class: fate}), fate + ' ' + count + ' (' + meaning + ')');
  });
  return make('div', {class: 'legend'}, ...entries.filter(Boolean));
}

function components(link) {
  const columns = ['from', 'to', 'fate', 'reason', 'written as', 'read as', 'type', 'interpolation'];
  const lines = link.components.map(each => make('tr', {}, make('td', {text: each.old}), make('td', {text: each.new || ''}),
    make('td', {}, make('span', {class: 'tag ' + each.fate, text: each.fate})),
    ...['reason', 'producer_name', 'consumer_name', 'type', 'interpolation'].map(key => make('td', {text: each[key]}))));
  return make('details', {}, make('summary', {text: 'every component with its reason'}), make('table', {},
    make('thead', {}, make('tr', {}, ...columns.map(text => make('th', {text})))), make('tbody', {}, ...lines)));
}

function partsOfInterface(pipeline, link) {
  return [make('h2', {text: link.producer + ' → ' + link.consumer}), legend(link), maps(pipeline, link),
    ...valueGraph(pipeline, link), components(link)];
}

function bar(before, after) {
  const most = Math.max(before, after, 1);
  const [first, second] = [make('i', {class: 'before'}), make('i', {class: 'after'})];
  first.style.width = before / most * 100 + '%';
  second.style.width = after / most * 100 + '%';
  return make('div', {class: 'bar'}, first, second);
}

function costLine(who, measure, before, after) {
  return make('tr', {}, make('td', {text: who}), make('td', {text: measure}),
    make('td', {class: 'number', text: String(before)}), make('td', {class: 'number', text: String(after)}),
    make('td', {class: 'number ' + judge(before, after), text: percent(before, after)}), make('td', {}, bar(before, after)));
}

// The pipeline as a whole comes first: a stage may rise for what another one saves.
function stageCosts(pipeline) {
  const lines = [], whole = pipeline.work;
  if (whole) lines.push(costLine('pipeline', 'work, of a fragment ' + whole.fragments_per_vertex + ' times', whole.before, whole.after));
  for (const stage of pipeline.stages.filter(each => each.cost))
    Object.entries(COSTS).forEach(([key, name], index) =>
      lines.push(costLine(index === 0 ? stage.stage : '', name, stage.cost.before[key], stage.cost.after[key])));
  if (lines.length === 0) return [];
  const profile = report.options['--profile'];
  return [make('h2', {text: 'What the stages cost' + (profile ? ' (' + profile + ')' : '')}), make('table', {class: 'costs'},
    make('thead', {}, make('tr', {}, ...['stage', 'measure', 'before', 'after', 'change', ''].map(text => make('th', {text})))),
    make('tbody', {}, ...lines))];
}

function driverFigures(pipeline) {
  if (!pipeline.driver) return [];
  const head = make('h2', {text: 'What the driver makes of them (' + pipeline.driver.device + ')'});
  if (pipeline.driver.failure) return [head, make('p', {class: 'error', text: 'not measured: ' + pipeline.driver.failure})];
  const changed = pipeline.driver.changes.filter(each => each.before !== each.after);
  if (changed.length === 0) return [head, make('p', {class: 'dim', text: 'the same code for every stage'})];
  const lines = changed.map((each, index) => make('tr', {},
    make('td', {text: index > 0 && changed[index - 1].stage === each.stage ? '' : each.stage}), make('td', {text: each.statistic}),
    make('td', {class: 'number', text: String(each.before)}), make('td', {class: 'number', text: String(each.after)}),
    make('td', {class: 'number ' + judge(0, each.worseBy), text: percent(each.before, each.after)}),
    make('td', {}, bar(each.before, each.after))));
  return [head, make('table', {class: 'driver costs'},
    make('thead', {}, make('tr', {}, ...['stage', 'statistic', 'before', 'after', 'change', ''].map(text => make('th', {text})))),
    make('tbody', {}, ...lines))];
}

function messages(pipeline) {
  const lines = [
    ...pipeline.diagnostics.map(each => make('li', {class: each.severity, text: [each.file, each.location, each.severity,
      each.message, each.vuid].filter(Boolean).join(': ')})),
    ...pipeline.remarks.map(each => make('li', {text: each.stage + ': ' + each.pass + ': ' + each.message}))];
  return lines.length === 0 ? [] : [make('h2', {text: 'Messages'}), make('ul', {}, ...lines)];
}

function details(pipeline) {
  const files = pipeline.stages.map(each => each.stage + ' ' + each.file).join('   ');
  const failed = pipeline.status === 'linked' ? [] : [make('p', {class: 'error', text: (report.run ? '' : 'failed: ') + pipeline.failure})];
  return [make('h1', {text: pipeline.name}), make('div', {class: 'dim', text: files}), ...failed,
    ...pipeline.interfaces.flatMap(link => partsOfInterface(pipeline, link)), ...stageCosts(pipeline),
    ...driverFigures(pipeline), ...messages(pipeline)];
}

// ---- modules that pipelines share, and the variants they have now

function modules(choose) {
  if (!report.modules) return [];
  const lines = report.modules.flatMap(module => module.variants.map((variant, index) => make('tr', {},
    make('td', {text: index === 0 ? module.stage + ' ' + module.file : ''}),
    make('td', {class: 'number', text: index === 0 ? String(module.variants.length) : ''}),
    make('td', {text: variant.output || variant.content.slice(0, 16)}), make('td', {class: 'number', text: String(variant.bytes)}),
    make('td', {}, ...variant.pipelines.map(name => {
      const button = make('button', {type: 'button', text: name});
      button.addEventListener('click', () => choose(report.pipelines.findIndex(each => each.name === name)));
      return button;
    })))));
  return [make('details', {}, make('summary', {text: 'modules and their variants: ' + report.modules.length}), make('table', {id: 'modules'},
    make('thead', {}, make('tr', {}, ...['module', 'variants', 'result', 'bytes', 'used by'].map(text => make('th', {text})))),
    make('tbody', {}, ...lines)))];
}

// ---- the page

let chosen = -1;
const place = make('section', {id: 'details'});
let table = null;
function choose(index) {
  chosen = index;
  place.replaceChildren(...details(report.pipelines[index]));
  if (table) table.mark();
}
const page = document.getElementById('page');
page.append(...header());
if (report.pipelines.length > 1) {
  table = batch(choose);
  page.append(...table.elements, ...modules(choose));
}
page.append(place);
const wanted = decodeURIComponent(location.hash.slice(1));
const first = sorted(report.pipelines.map(row), GAIN, false)[0];
const named = report.pipelines.findIndex(pipeline => pipeline.name === wanted);
if (first) choose(named >= 0 ? named : first.index);
