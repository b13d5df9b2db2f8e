"""What documents and collections of them are called."""

from transforms.text import word_set

# fmt: off
CORPUS_WORDS = (
    "in the corpus", "across the corpus", "across all", "in all documents", "in all contracts",
    "across the contracts", "across the documents", "across the policies", "among all",
    "all of our contracts", "of our contracts", "of our policies", "our contracts", "our policies",
    "in the portfolio", "across the portfolio", "in our portfolio", "in the collection",
    "of the documents", "of the contracts", "in the data room", "in any of the", "across our",
    "across documents", "across contracts", "across policies", "dans le corpus",
    "dans tous les contrats", "dans tous les documents", "parmi les contrats", "im korpus",
    "in allen vertragen", "in allen dokumenten", "aller vertrage", "en el corpus",
    "en todos los contratos", "en todos los documentos",
)
CORPUS_PLACES = (
    "in the repository", "in the archive", "in the library", "in the database",
)
"""Where documents are kept, when several are asked for; else a place like any other."""
DOCUMENT_NOUNS = word_set("""
    policy contract agreement document framework standard guide guideline report handbook manual
    paper regulation directive law act notice statement filing lease license plan programme
    charter code brochure label leaflet prospectus wording endorsement schedule amendment
    certificate booklet text file pdf form annex appendix protocol rulebook procedure
    police contrat document vertrag police dokument poliza contrato documento
""")
"""What a question calls the document it is asked of: says where, not what to look for."""
AGREEMENTS = word_set("""
    contract agreement lease filing policy licence license order nda msa sow tenancy
    police contrat bail poliza contrato policen vertrage versicherungsvertrage mietvertrage
""")
"""Documents that a collection holds many of: "which agreements …" asks of the collection."""
# fmt: on
