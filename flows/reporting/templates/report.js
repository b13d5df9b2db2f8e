// Pages and filters of the answers. Without it everything is there, in one long list.
(() => {
  "use strict";
  const PER_PAGE = 25;
  const form = document.getElementById("tools");
  const blocks = [...document.querySelectorAll("#blocks > details")];
  if (!blocks.length) return;
  const rows = new Map([...document.querySelectorAll("tr[data-d]")].map((row) => [row.dataset.d, row]));
  const status = form.querySelector("output");
  const { text, status: wanted, question, back, next, open } = form.elements;
  let page = 0;
  let found = blocks;
  let texts = null;

  const fits = (article) =>
    (!wanted.value || article.dataset.s === wanted.value) && (!question.value || article.dataset.q === question.value);

  const search = () => {
    const sought = text.value.trim().toLowerCase();
    if (sought && !texts)
      texts = new Map(blocks.flatMap((block) => [block.querySelector("summary"), ...block.querySelectorAll("article")])
        .map((element) => [element, element.textContent.toLowerCase()]));
    found = blocks.filter((block) => {
      const isNamed = !sought || texts.get(block.querySelector("summary")).includes(sought);
      let count = 0;
      for (const article of block.querySelectorAll("article")) {
        article.hidden = !(fits(article) && (isNamed || texts.get(article).includes(sought)));
        count += !article.hidden;
      }
      return count > 0;
    });
    page = 0;
    show();
  };

  const show = () => {
    const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
    const shown = new Set(found.slice(page * PER_PAGE, (page + 1) * PER_PAGE));
    for (const block of blocks) {
      block.hidden = !shown.has(block);
      const row = rows.get(block.id);
      if (row) row.hidden = block.hidden;
    }
    status.textContent = `${found.length} of ${blocks.length} documents, page ${page + 1} of ${pages}`;
    back.disabled = page === 0;
    next.disabled = page >= pages - 1;
    tellOpen();
  };

  const visible = () => found.slice(page * PER_PAGE, (page + 1) * PER_PAGE);
  const tellOpen = () => { open.textContent = visible().every((block) => block.open) ? "Close all" : "Open all"; };

  const reveal = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const block = target && target.closest("#blocks > details");
    if (!block) return;
    if (!found.includes(block) || target.hidden) { form.reset(); search(); }
    page = Math.floor(found.indexOf(block) / PER_PAGE);
    show();
    block.open = true;
    target.scrollIntoView();
    (target === block ? block.querySelector("summary") : target).focus({ preventScroll: true });
  };

  let timer = 0;
  text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 250); });
  wanted.addEventListener("change", search);
  question.addEventListener("change", search);
  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  back.addEventListener("click", () => { page -= 1; show(); });
  next.addEventListener("click", () => { page += 1; show(); });
  open.addEventListener("click", () => {
    const isOpening = !visible().every((block) => block.open);
    for (const block of visible()) block.open = isOpening;
    tellOpen();
  });
  document.getElementById("blocks").addEventListener("toggle", tellOpen, true);
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='#']");
    if (link && link.hash === location.hash) setTimeout(reveal);
  });
  form.hidden = false;
  show();
  reveal();
})();
