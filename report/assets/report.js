(() => {
"use strict";
// Draws the charts of #kvprof-charts on their canvases. Every word comes from there; what is worked
// out here is where ink goes. Without this script the tables say the same.

const root = document.documentElement;
const charts = JSON.parse(document.getElementById("kvprof-charts").textContent);
const wide = 720; // from this width on there is room for words beside the marks
const rowHeight = 23;
let drawn = [];

const ink = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();
const clear = "rgba(0, 0, 0, 0)";
const signOf = (x) => (x < 0 ? -1 : 1);

// A scale that is linear about 0 and logarithmic beyond: 0.3 % and 60 % are both to be seen.
const bend = (percent) => signOf(percent) * Math.log10(1 + Math.abs(percent) / 0.1);

const decimalsFor = (step) => Math.max(0, Math.min(3, -Math.floor(Math.log10(step) + 1e-9)));

const timeUnit = (most) =>
  most >= 1e6 ? { name: "ms", size: 1e6 } : most >= 1e3 ? { name: "us", size: 1e3 } : { name: "ns", size: 1 };

// Ticks of a linear scale: all in the unit of the greatest, with decimals that tell them apart.
function valueTick(unit, isSigned) {
  return function (value, index, ticks) {
    const most = Math.max(...ticks.map((tick) => Math.abs(tick.value)));
    const step = ticks.length > 1 ? Math.abs(ticks[1].value - ticks[0].value) : most || 1;
    const plus = isSigned && value > 0 ? "+" : "";
    if (unit !== "ns") return plus + value.toFixed(decimalsFor(step));
    const shown = timeUnit(most);
    return plus + (value / shown.size).toFixed(decimalsFor(step / shown.size)) + " " + shown.name;
  };
}

function sizeWords(unit, value) {
  const names = unit === "bytes" ? ["B", "KiB", "MiB", "GiB", "TiB"] : ["ns", "us", "ms", "s"];
  const size = unit === "bytes" ? 1024 : 1000;
  let place = 0;
  while (value >= size && place + 1 < names.length) {
    value /= size;
    place += 1;
  }
  return String(Number(value.toPrecision(3))) + " " + names[place];
}

// The bounds and ticks of a logarithmic scale: powers that are few enough to be read.
function powers(unit, values) {
  const base = unit === "bytes" ? 2 : 10;
  const log = (x) => Math.log(x) / Math.log(base);
  const [least, most] = [log(Math.min(...values)), log(Math.max(...values))];
  const room = Math.max((most - least) * 0.05, log(2) * 0.5);
  const [low, high] = [least - room, most + room];
  const step = [1, 2, 5, 10].find((each) => (high - low) / each <= 7) || 20;
  const ticks = [];
  for (let power = Math.ceil(low / step) * step; power <= high; power += step) ticks.push(base ** power);
  return { min: base ** low, max: base ** high, ticks };
}

function elided(label, room) {
  if (label.length <= room) return label;
  const head = Math.ceil((room - 1) * 0.6);
  return label.slice(0, head) + "…" + label.slice(label.length - (room - 1 - head));
}

const labelRoom = (chart) => Math.max(12, Math.floor((chart.width * 0.36) / 6.3));

function rowScale(labels, isStrong) {
  return {
    type: "linear", reverse: true, min: -0.6, max: labels.length - 0.4,
    afterBuildTicks: (axis) => { axis.ticks = labels.map((label, place) => ({ value: place })); },
    grid: { color: ink("faint"), drawTicks: false, borderColor: ink("line") },
    ticks: {
      autoSkip: false, padding: 8, color: ink("ink"),
      font: (context) => ({ size: 12, weight: isStrong && isStrong(context.index) ? "650" : "400" }),
      callback: function (value) { return elided(labels[value], labelRoom(this.chart)); },
    },
  };
}

const gridScale = (more) => ({
  ...more,
  grid: { color: ink("faint"), borderColor: ink("line"), tickColor: ink("line"), ...(more.grid || {}) },
  title: { display: Boolean(more.named), text: more.named, color: ink("soft"), font: { size: 12 } },
  ticks: { color: ink("soft"), maxRotation: 0, autoSkipPadding: 14, font: { size: 11.5 }, ...(more.ticks || {}) },
});

function rule(context, from, to, colour, width, dash) {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash || []);
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
  context.restore();
}

// Words right of the marks, where the page is wide enough.
const besideRows = {
  id: "besideRows",
  beforeUpdate(chart, unused, options) {
    let room = 14;
    if (options.words && chart.width >= wide) {
      chart.ctx.font = "12px " + Chart.defaults.font.family;
      room = 24 + Math.max(...options.words.map((words) => chart.ctx.measureText(words).width));
    }
    chart.options.layout.padding = { right: Math.min(room, chart.width * 0.4), top: 4 };
  },
  afterDatasetsDraw(chart, unused, options) {
    if (!options.words || chart.width < wide) return;
    const context = chart.ctx;
    context.save();
    context.font = "12px " + Chart.defaults.font.family;
    context.textBaseline = "middle";
    options.words.forEach((words, place) => {
      context.fillStyle = options.colours ? options.colours[place] : ink("soft");
      context.fillText(words, chart.chartArea.right + 14, chart.scales.y.getPixelForValue(place));
    });
    context.restore();
  },
};

// Lines that belong to marks: under(chart) before the marks, over(chart) after them.
const lines = {
  id: "lines",
  beforeDatasetsDraw(chart, unused, options) { if (options.under) options.under(chart); },
  afterDatasetsDraw(chart, unused, options) { if (options.over) options.over(chart); },
};

function whisker(chart, low, high, y, colour) {
  const { left, right } = chart.chartArea;
  const at = (x) => Math.min(Math.max(chart.scales.x.getPixelForValue(x), left), right);
  rule(chart.ctx, [at(low), y], [at(high), y], colour, 2);
  for (const end of [low, high]) rule(chart.ctx, [at(end), y - 4], [at(end), y + 4], colour, 2);
}

function base(type, datasets, scales, plugins, told) {
  return {
    type,
    data: { datasets },
    plugins: [lines, besideRows],
    options: {
      animation: false, responsive: true, maintainAspectRatio: false, events: ["mousemove", "mouseout", "click", "touchstart"],
      layout: { padding: 0 }, scales,
      interaction: { mode: "nearest", intersect: true },
      plugins: {
        legend: { display: false },
        tooltip: {
          displayColors: false, backgroundColor: ink("ink"), titleColor: ink("page"), bodyColor: ink("page"), padding: 9,
          callbacks: {
            title: (items) => (items.length ? elided(told(items[0]).title, 160) : ""),
            label: (item) => elided(told(item).words, 160),
          },
        },
        ...plugins,
      },
    },
  };
}

const ofRows = (rows) => (item) => ({ title: rows[item.dataIndex].label, words: rows[item.dataIndex].words });

function intervals(chart) {
  const rows = chart.rows;
  const colours = rows.map((row) => ink(row.verdict.slice(2)));
  const shapes = { "v-regressed": "triangle", "v-inconclusive": "rectRot", "v-incomparable": "rect" };
  const hollow = (row) => row.verdict === "v-same" || row.verdict === "v-inconclusive";
  const ends = rows.flatMap((row) => [row.change, row.low, row.high].filter((x) => x !== null)).map((x) => bend(Math.max(-100, Math.min(1000, x))));
  const most = Math.max(bend(1), ...ends) + 0.15;
  const least = Math.min(-bend(1), ...ends) - 0.15;
  const marks = (on) => [0, ...(on.width < wide ? [1, 10, 100, 1000] : [1, 3, 10, 30, 100, 300, 1000])].flatMap((mark) => (mark ? [mark, -mark] : [0]));
  const x = gridScale({
    type: "linear", min: least, max: most, named: "change against the base",
    afterBuildTicks: (axis) => {
      const seen = marks(axis.chart).filter((mark) => bend(mark) >= least && bend(mark) <= most).sort((a, b) => a - b);
      axis.ticks = seen.map((mark) => ({ value: bend(mark), mark }));
    },
    ticks: { callback: (value, place, ticks) => (ticks[place].mark > 0 ? "+" : "") + ticks[place].mark + " %" },
    grid: { color: (context) => (context.tick && context.tick.mark === 0 ? ink("soft") : ink("faint")) },
  });
  const under = (on) => rows.forEach((row, place) => {
    const y = on.scales.y.getPixelForValue(place);
    if (row.limit !== null) {
      const [from, to] = [-row.limit, row.limit].map((end) => Math.min(Math.max(on.scales.x.getPixelForValue(bend(end)), on.chartArea.left), on.chartArea.right));
      on.ctx.fillStyle = ink("limit");
      on.ctx.fillRect(from, y - 7, to - from, 14);
      for (const end of [from, to]) rule(on.ctx, [end, y - 7], [end, y + 7], ink("soft"), 1);
    }
    if (row.low !== null) whisker(on, bend(Math.max(row.low, -99.99)), bend(row.high), y, colours[place]);
  });
  const points = {
    data: rows.map((row, place) => ({ x: bend(row.change), y: place })),
    pointStyle: rows.map((row) => shapes[row.verdict] || "circle"),
    pointRadius: rows.map((row) => (row.verdict === "v-regressed" ? 6.5 : 5)), pointHoverRadius: 7.5, pointHitRadius: 12,
    pointBorderColor: colours, pointBorderWidth: 2,
    pointBackgroundColor: rows.map((row, place) => (hollow(row) ? ink("panel") : colours[place])),
  };
  return base("scatter", [points], { x, y: rowScale(rows.map((row) => row.label), (place) => rows[place] && rows[place].primary) },
    { lines: { under }, besideRows: { words: rows.map((row) => row.words), colours } }, ofRows(rows));
}

const sideMarks = (place, data) => ({
  data, label: String(place), clip: 10, pointStyle: place === 0 ? "circle" : "rectRot",
  pointRadius: place === 0 ? 5 : 5.5, pointHoverRadius: 7.5, pointHitRadius: 12,
  pointBorderWidth: 2, pointBorderColor: ink(place === 0 ? "base" : "candidate"),
  pointBackgroundColor: place === 0 ? clear : ink("candidate"),
});

function order(chart) {
  const datasets = chart.series.map((series, place) => ({
    ...sideMarks(place, series.points.map((point) => ({ x: point.x, y: point.y }))),
    showLine: true, borderWidth: 1, borderColor: ink(place === 0 ? "base" : "candidate") + "66",
  }));
  datasets.forEach((set, place) => {
    const odd = chart.series[place].points.map((point) => point.odd);
    set.pointStyle = odd.map((is) => (is ? "crossRot" : place === 0 ? "circle" : "rectRot"));
    set.pointRadius = odd.map((is) => (is ? 6 : 5));
  });
  const count = Math.max(...chart.series.flatMap((series) => series.points.map((point) => point.x)));
  const under = (on) => chart.series.forEach((series, place) => {
    const y = on.scales.y.getPixelForValue(series.median);
    rule(on.ctx, [on.chartArea.left, y], [on.chartArea.right, y], ink(place === 0 ? "base" : "candidate"), 1.5, [6, 5]);
  });
  const x = gridScale({ type: "linear", min: 0.5, max: count + 0.5, named: chart.counted, grid: { display: false },
    afterBuildTicks: (axis) => {
      const step = Math.max(1, Math.ceil(count / (axis.chart.width < wide ? 8 : 24)));
      axis.ticks = Array.from({ length: Math.ceil(count / step) }, (unused, place) => ({ value: 1 + place * step }));
    },
    ticks: { callback: (value) => String(value) } });
  const y = gridScale({ type: "linear", grace: "12%", ticks: { callback: valueTick(chart.unit, false) } });
  return base("scatter", datasets, { x, y }, { lines: { under } }, (item) => {
    const series = chart.series[item.datasetIndex];
    const point = series.points[item.dataIndex];
    return { title: series.name + ", " + chart.counted + " " + point.x, words: point.words };
  });
}

function waterfall(chart) {
  const bars = chart.bars;
  const colours = bars.map((bar) => ink(bar.total ? "total" : bar.to < bar.from ? "less" : "more"));
  const half = rowHeight * 0.31;
  const over = (on) => bars.forEach((bar, place) => {
    const y = on.scales.y.getPixelForValue(place);
    const end = on.scales.x.getPixelForValue(bar.to);
    const start = on.scales.x.getPixelForValue(bar.from);
    on.ctx.fillStyle = colours[place];
    on.ctx.fillRect(Math.min(start, end) - 0.75, y - half, Math.abs(end - start) + 1.5, 2 * half);
    const next = bars[place + 1];
    if (next) {
      const level = on.scales.x.getPixelForValue(bar.total ? bar.to : next.total ? next.to : next.from);
      if (!bar.total) rule(on.ctx, [level, y + half], [level, y + rowHeight - half], ink("soft"), 1);
    }
    if (bar.low !== null && chart.change) {
      const colour = ink("ink");
      const at = (x) => on.scales.x.getPixelForValue(x);
      rule(on.ctx, [at(bar.low), y], [at(bar.high), y], colour, 1.5);
      for (const side of [bar.low, bar.high]) rule(on.ctx, [at(side), y - 3.5], [at(side), y + 3.5], colour, 1.5);
    }
  });
  const ends = bars.flatMap((bar) => [bar.from, bar.to, bar.low, bar.high]).filter((x) => x !== null);
  const room = (Math.max(0, ...ends) - Math.min(0, ...ends)) * 0.03;
  const x = gridScale({
    type: "linear", min: Math.min(0, ...ends) - (Math.min(...ends) < 0 ? room : 0), max: Math.max(0, ...ends) + (Math.max(...ends) > 0 ? room : 0),
    named: chart.change ? "change of the step" : "time in the step",
    ticks: { callback: valueTick("ns", chart.change), includeBounds: false },
    grid: { color: (context) => (context.tick && context.tick.value === 0 ? ink("soft") : ink("faint")) },
  });
  const points = { data: bars.map((bar, place) => ({ x: bar.total ? bar.to : (bar.from + bar.to) / 2, y: place })), pointRadius: 0, pointHoverRadius: 4, pointHitRadius: 14, pointBackgroundColor: ink("panel"), pointBorderColor: ink("ink") };
  return base("scatter", [points], { x, y: rowScale(bars.map((bar) => bar.label), (place) => bars[place] && bars[place].total) },
    { lines: { under: over }, besideRows: { words: bars.map((bar) => bar.words) } }, ofRows(bars));
}

function pairs(chart) {
  const rows = chart.rows;
  const values = rows.flatMap((row) => [row.base, row.candidate]).filter((x) => x !== null);
  const bounds = powers(chart.unit, values);
  const sides = ["base", "candidate"].slice(0, chart.sides.length);
  const datasets = sides.map((side, place) => sideMarks(place, rows.map((row, y) => ({ x: row[side] === null ? NaN : row[side], y }))));
  if (sides.length === 1) Object.assign(datasets[0], { pointBackgroundColor: ink("candidate"), pointBorderColor: ink("candidate") });
  const under = (on) => rows.forEach((row, place) => {
    const y = on.scales.y.getPixelForValue(place);
    const at = (x) => on.scales.x.getPixelForValue(x);
    if (sides.length === 1) rule(on.ctx, [on.chartArea.left, y], [at(row.base), y], ink("candidate"), 2);
    else if (row.base !== null && row.candidate !== null) rule(on.ctx, [at(row.base), y], [at(row.candidate), y], ink("soft"), 2);
  });
  const x = gridScale({
    type: "logarithmic", min: bounds.min, max: bounds.max, named: chart.unit === "bytes" ? "bytes (logarithmic)" : "time a step (logarithmic)",
    afterBuildTicks: (axis) => { axis.ticks = bounds.ticks.map((value) => ({ value })); },
    ticks: { callback: (value) => sizeWords(chart.unit, value) },
  });
  return base("scatter", datasets, { x, y: rowScale(rows.map((row) => row.label)) },
    { lines: { under }, besideRows: { words: rows.map((row) => row.words) } }, ofRows(rows));
}

function strip(chart) {
  const rows = chart.rows;
  const flat = rows.flatMap((row, y) => row.values.map((x) => ({ x, y })));
  const least = Math.min(...flat.map((point) => point.x));
  const most = Math.max(...flat.map((point) => point.x));
  const points = sideMarks(0, flat);
  const under = (on) => rows.forEach((row, place) => {
    const y = on.scales.y.getPixelForValue(place);
    const x = on.scales.x.getPixelForValue(row.median);
    rule(on.ctx, [x, y - 9], [x, y + 9], ink("candidate"), 2);
  });
  const room = (most - least || most) * 0.06;
  const x = gridScale({ type: "linear", min: Math.max(0, least - room), max: most + room, named: "time of a step", ticks: { callback: valueTick(chart.unit, false), includeBounds: false } });
  return base("scatter", [points], { x, y: rowScale(rows.map((row) => row.label)) },
    { lines: { under }, besideRows: { words: rows.map((row) => row.words) } },
    (item) => ({ title: rows[flat[item.dataIndex].y].label, words: rows[flat[item.dataIndex].y].words }));
}

function laws(chart) {
  const points = chart.series.flatMap((series) => series.points);
  const across = powers("count", points.map((point) => point.x));
  const up = powers("ns", points.map((point) => point.y));
  const tint = (series) => ink(series.candidate ? "candidate" : "base");
  const datasets = chart.series.map((series) => ({
    ...sideMarks(series.candidate ? 1 : 0, series.points.map((point) => ({ x: point.x, y: point.y }))),
    showLine: true, borderWidth: 1.5, borderColor: tint(series), borderDash: series.candidate ? [6, 4] : [],
  }));
  const axis = (bounds, named, callback) => gridScale({
    type: "logarithmic", min: bounds.min, max: bounds.max, named,
    afterBuildTicks: (scale) => { scale.ticks = bounds.ticks.map((value) => ({ value })); },
    ticks: { callback },
  });
  // Names above the ends of their lines, pushed apart where lines end close together.
  const over = (on) => {
    const ends = chart.series.map((series) => ({ series, end: series.points[series.points.length - 1] }))
      .map(({ series, end }) => ({ series, x: on.scales.x.getPixelForValue(end.x), y: on.scales.y.getPixelForValue(end.y) - 8 }))
      .sort((a, b) => a.y - b.y);
    on.ctx.save();
    on.ctx.font = "12px " + Chart.defaults.font.family;
    on.ctx.textAlign = "right";
    let last = -Infinity;
    for (const { series, x, y } of ends) {
      last = Math.max(y, last + 13);
      on.ctx.fillStyle = tint(series);
      on.ctx.fillText(elided(series.name, labelRoom(on)), x, last);
    }
    on.ctx.restore();
  };
  const count = (value) => Number(value.toPrecision(6)).toLocaleString("en-US");
  const x = axis(across, chart.work + " (logarithmic)", count);
  const y = axis(up, "time a step (logarithmic)", (value) => sizeWords("ns", value));
  return base("scatter", datasets, { x, y }, { lines: { over } }, (item) => {
    const series = chart.series[item.datasetIndex];
    return { title: series.name, words: series.points[item.dataIndex].words };
  });
}

const kinds = { intervals, order, waterfall, pairs, strip, laws };

function heightOf(chart) {
  const rows = chart.rows || chart.bars;
  return rows ? 66 + rows.length * rowHeight : chart.kind === "laws" ? 420 : 260;
}

function draw() {
  drawn.forEach((chart) => chart.destroy());
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  drawn = charts.map((chart, number) => {
    const canvas = document.getElementById("chart-" + number);
    canvas.parentElement.style.height = heightOf(chart) + "px";
    return new Chart(canvas, kinds[chart.kind](chart));
  });
}

// Arrow keys walk the marks of the chart that has the focus; what a mark says is also spoken.
const spoken = document.createElement("p");
spoken.className = "sr";
spoken.setAttribute("role", "status");
document.body.append(spoken);

function walk(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const chart = drawn.find((each) => each.canvas === event.currentTarget);
  if (!chart || (!step && event.key !== "Escape")) return;
  event.preventDefault();
  const marks = chart.data.datasets
    .flatMap((set, datasetIndex) => set.data.map((point, index) => ({ datasetIndex, index, x: point.x, y: point.y })))
    .filter((mark) => Number.isFinite(mark.x))
    .sort((a, b) => (chart.config.data.datasets.length > 1 && chart.scales.y.options.reverse !== true ? a.x - b.x : a.y - b.y || a.x - b.x));
  const at = step ? ((chart.walked ?? (step > 0 ? -1 : marks.length)) + step + marks.length) % marks.length : undefined;
  chart.walked = at;
  const active = at === undefined ? [] : [marks[at]];
  chart.setActiveElements(active);
  const element = active.length ? chart.getDatasetMeta(active[0].datasetIndex).data[active[0].index] : { x: 0, y: 0 };
  chart.tooltip.setActiveElements(active, { x: element.x, y: element.y });
  chart.update();
  spoken.textContent = active.length ? [...chart.tooltip.title, ...chart.tooltip.body.flatMap((part) => part.lines)].join(": ") : "";
}

// On paper: light, everything open, charts as wide as the page.
let opened = [];
function beforePrint() {
  root.classList.add("light");
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach((part) => { part.open = true; });
  draw();
  drawn.forEach((chart, number) => chart.resize(690, heightOf(charts[number])));
}
function afterPrint() {
  root.classList.remove("light");
  opened.forEach((part) => { part.open = false; });
  draw();
}

root.classList.add("drawn");
document.querySelectorAll("figure.chart details").forEach((part) => { part.open = false; });
draw();
drawn.forEach((chart) => chart.canvas.addEventListener("keydown", walk));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
addEventListener("beforeprint", beforePrint);
addEventListener("afterprint", afterPrint);
})();
